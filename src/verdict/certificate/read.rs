//! From text to certificates. The text is not trusted: every line must be in its place, every number in its shortest form,
//! and the checksum must match. What is read is paid for line by line. Runs of members make a short text of a large set, so no set
//! has more members than the model has states, or the proof has hypotheses.

use super::document::{Body, Certified, Document, KeptParts, Proof};
use super::write::{HEAD, checksum};
use super::{
    Actual, Cells, Certificate, Cover, Hypothesis, Pair, PermutationStep, Position, Refused, Sides, Violation,
};
use crate::resources::Monitor;
use std::iter::Peekable;
use std::str::SplitTerminator;

type Read<T> = Result<T, String>;

/// Reads a document about systems of at most `n_states` states. The error says what is wrong with the text, or why it ended early.
pub fn read(text: &str, n_states: usize, monitor: &mut Monitor<'_>) -> Result<Document, Refused> {
    let body = text.strip_suffix('\n').ok_or("the last line is cut off")?;
    let (_, last) = body.rsplit_once('\n').ok_or("it is no certificate")?;
    let sum = last.strip_prefix("sha256 ").ok_or("the last line is no checksum")?;
    let signed = &text[..text.len() - last.len() - 1];
    if !signed.starts_with(HEAD) {
        return Err(format!("it does not begin with `{HEAD}`").into());
    }
    monitor.spend(text.len() as u64 / BYTES_PER_UNIT)?;
    if checksum(signed) != sum {
        return Err("the checksum is not that of the text: it was changed or cut off".into());
    }
    let mut reader = Reader { lines: signed.split_terminator('\n').peekable(), n_states, monitor };
    reader.document()
}

/// So many bytes of text take as long as one unit of work.
const BYTES_PER_UNIT: u64 = 8;

struct Reader<'t, 'm> {
    lines: Peekable<SplitTerminator<'t, char>>,
    n_states: usize,
    monitor: &'t mut Monitor<'m>,
}

impl<'t> Reader<'t, '_> {
    fn document(&mut self) -> Result<Document, Refused> {
        self.take_line().filter(|line| *line == HEAD).ok_or("the first line is wrong")?;
        let version = self.after("tool").ok_or("the version of the tool is missing")?.to_owned();
        let mut document = Document { version, systems: Vec::new() };
        while let Some(name) = self.after("system") {
            let name: String = serde_json::from_str(name).map_err(|_| "the name of a system is no string")?;
            let meaning = self.after("meaning").ok_or("the hash of a system is missing")?.to_owned();
            let mut proofs = Vec::new();
            while let Some(checks) = self.after("proof") {
                let checks = numbers(checks)?;
                self.pay::<Proof>(heap(&checks))?;
                let parts = self.parts()?;
                proofs.push(Proof { checks, parts, body: self.body()? });
            }
            self.pay::<Certified>(name.capacity() + meaning.len())?;
            document.systems.push(Certified { name, meaning, proofs });
        }
        match (self.take_line(), self.take_line()) {
            (Some("end"), None) => Ok(document),
            (Some(line), _) => {
                Err(format!("a line is out of place: `{}`", line.chars().take(40).collect::<String>()).into())
            }
            (None, _) => Err("the end is missing".into()),
        }
    }

    fn take_line(&mut self) -> Option<&'t str> {
        self.lines.next()
    }

    /// What comes after this word, if the next line begins with it.
    fn after(&mut self, word: &str) -> Option<&'t str> {
        let rest = self.lines.peek()?.strip_prefix(word)?;
        let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
        self.lines.next();
        Some(rest)
    }

    /// The parts that a proof is about, if it is not about the whole product.
    fn parts(&mut self) -> Result<Option<KeptParts>, Refused> {
        let Some(kept) = self.after("parts") else { return Ok(None) };
        let kept = self.list(numbers(kept)?)?;
        let run = self.after("run").map(numbers).transpose()?.unwrap_or_default();
        Ok(Some(KeptParts { kept, run: self.list(run)? }))
    }

    /// Pays for one more thing of a list that holds so many bytes beside itself.
    fn pay<T>(&mut self, heap: usize) -> Result<(), Refused> {
        // WHY twice: a list that grows may have twice the room that it needs.
        let bytes = (2 * size_of::<T>() + heap) as u64;
        self.monitor.hold(bytes)?;
        Ok(self.monitor.spend(1 + bytes / BYTES_PER_UNIT)?)
    }

    fn body(&mut self) -> Result<Body, Refused> {
        match self.after("exposed") {
            Some(rest) => {
                let violation = exposed(rest)?;
                self.pay::<Violation>(heap(&violation.moves) + heap(&violation.classes))?;
                Ok(Body::Violation(violation))
            }
            None => Ok(Body::Holds(Box::new(self.certificate()?))),
        }
    }

    /// Every line that begins with this word.
    fn each<T: Heap>(&mut self, word: &str, one: impl Fn(&str) -> Read<T>) -> Result<Vec<T>, Refused> {
        let mut all = Vec::new();
        while let Some(rest) = self.after(word) {
            let one = one(rest)?;
            self.pay::<T>(one.heap())?;
            all.push(one);
        }
        Ok(all)
    }

    /// A line of numbers or covers that stands alone.
    fn list<T>(&mut self, list: Vec<T>) -> Result<Vec<T>, Refused> {
        self.pay::<Vec<T>>(heap(&list))?;
        Ok(list)
    }

    fn certificate(&mut self) -> Result<Certificate, Refused> {
        let mut certificate = self.claim()?;
        certificate.cells = self.cells()?;
        certificate.sides = self.sides()?;
        match certificate.sides {
            Some(_) => Ok(certificate),
            None => self.invariant(certificate),
        }
    }

    /// What a proof claims, without anything that proves it.
    fn claim(&mut self) -> Result<Certificate, Refused> {
        let horizon = self.after("horizon").ok_or("the horizon of a proof is missing")?;
        let (horizon, initial) = match horizon {
            "initial" => (None, true),
            "infinite" => (None, false),
            steps => (Some(number(steps)?), false),
        };
        let once = match self.after("once") {
            None => false,
            Some("") => true,
            Some(_) => return Err("`once` stands alone".into()),
        };
        Ok(Certificate { horizon, initial, once, ..Certificate::default() })
    }

    fn cells(&mut self) -> Result<Option<Cells>, Refused> {
        let Some(past) = self.after("past") else { return Ok(None) };
        let past = self.list(numbers(past)?)?;
        let future = numbers(self.after("future").ok_or("the futures of the states are missing")?)?;
        Ok(Some(Cells { past, future: self.list(future)? }))
    }

    /// A proof by sides, if the next line is of one.
    fn sides(&mut self) -> Result<Option<Sides>, Refused> {
        let estimates = self.sets("reach", self.n_states)?;
        if estimates.is_empty() {
            return Ok(None);
        }
        let mut backward = Vec::new();
        while let Some(rest) = self.after("show") {
            let (layer, set) = halves(rest, ':')?;
            self.pay::<(Vec<u32>, u64)>(0)?;
            backward.push((self.set(set, self.n_states)?, number(layer.trim_end())?));
        }
        Ok(Some(Sides { estimates, backward }))
    }

    /// A proof by an inductive invariant over pairs.
    fn invariant(&mut self, claim: Certificate) -> Result<Certificate, Refused> {
        // A line that names no block is the same as no line.
        let blocks = self.after("blocks").map(numbers).transpose()?.filter(|blocks| !blocks.is_empty());
        let blocks = blocks.map(|blocks| self.list(blocks)).transpose()?;
        let actuals = self.each("left", actual)?;
        let hypotheses = self.each("rival", hypothesis)?;
        let sets = self.sets("set", self.n_states.max(hypotheses.len()))?;
        let start = covers(self.after("start").ok_or("the start of a proof is missing")?)?;
        let start = self.list(start)?;
        let estimates = self.each("estimate", |rest| pair(rest, false))?;
        let layers = self.each("layer", |rest| pair(rest, true))?;
        let backward = match self.after("behind") {
            Some(start) => Some((self.list(covers(start)?)?, self.each("back", |rest| pair(rest, true))?)),
            None => None,
        };
        let twins = self.each("twins", position)?;
        let simulations = self.each("simulation", position)?;
        let permutations = self.each("permutation", permutation)?;
        let permutation_steps = self.each("lockstep", permutation_step)?;
        let claim = Certificate { blocks, actuals, hypotheses, sets, start, estimates, layers, ..claim };
        Ok(Certificate { backward, twins, simulations, permutations, permutation_steps, ..claim })
    }

    /// Every set with this word, of members below a number.
    fn sets(&mut self, word: &str, below: usize) -> Result<Vec<Vec<u32>>, Refused> {
        let mut sets = Vec::new();
        while let Some(rest) = self.after(word) {
            sets.push(self.set(rest, below)?);
        }
        Ok(sets)
    }

    fn set(&mut self, rest: &str, below: usize) -> Result<Vec<u32>, Refused> {
        let mut set = Vec::new();
        for word in words(rest) {
            let (first, last) = interval(word, set.last(), below)?;
            self.pay::<()>((last - first + 1) as usize * size_of::<u32>())?;
            set.extend(first..=last);
        }
        self.list(set)
    }
}

/// What is held beside the thing itself.
trait Heap {
    fn heap(&self) -> usize;
}

fn heap<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

impl Heap for Actual {
    fn heap(&self) -> usize {
        heap(&self.used)
    }
}

impl Heap for Hypothesis {
    fn heap(&self) -> usize {
        heap(&self.images) + heap(&self.spent)
    }
}

impl Heap for Pair {
    fn heap(&self) -> usize {
        heap(&self.covers)
    }
}

impl Heap for Position {
    fn heap(&self) -> usize {
        heap(&self.hypotheses) + heap(&self.covers)
    }
}

impl Heap for (Vec<u32>, bool) {
    fn heap(&self) -> usize {
        heap(&self.0)
    }
}

impl Heap for PermutationStep {
    fn heap(&self) -> usize {
        heap(&self.next)
    }
}

/// A number in its shortest form.
fn number<N: std::str::FromStr + ToString>(word: &str) -> Read<N> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let shortest = word.len() == 1 || !word.starts_with('0');
    let number = word.parse().ok().filter(|_| digits && shortest);
    number.ok_or_else(|| format!("`{}` is no number", word.chars().take(24).collect::<String>()))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

fn numbers(text: &str) -> Read<Vec<u32>> {
    words(text).map(number).collect()
}

/// The two sides of a mark.
fn halves(text: &str, mark: char) -> Read<(&str, &str)> {
    text.split_once(mark).ok_or_else(|| format!("a `{mark}` is missing"))
}

fn covers(text: &str) -> Read<Vec<Cover>> {
    words(text).map(cover).collect()
}

fn cover(word: &str) -> Read<Cover> {
    let Some(kind) = word.chars().next().filter(char::is_ascii) else { return Err("a cover is missing".to_owned()) };
    let rest = &word[1..];
    match kind {
        'p' => Ok(Cover::Pair(number(rest)?)),
        't' => Ok(Cover::Twins(number(rest)?)),
        's' => Ok(Cover::Simulation(number(rest)?)),
        'l' => {
            let (place, hypothesis) = halves(rest, '/')?;
            Ok(Cover::Permutation(number(place)?, number(hypothesis)?))
        }
        'd' if rest.is_empty() => Ok(Cover::Identity),
        'n' if rest.is_empty() => Ok(Cover::Safe),
        _ => Err(format!("`{}` is no cover", word.chars().take(24).collect::<String>())),
    }
}

fn actual(rest: &str) -> Read<Actual> {
    match numbers(rest)?[..] {
        [state, ref used @ ..] => Ok(Actual { state, used: used.to_vec() }),
        [] => Err("an actual state has no state of the automaton".to_owned()),
    }
}

fn hypothesis(rest: &str) -> Read<Hypothesis> {
    let (body, spent) = halves(rest, ';')?;
    match numbers(body)?[..] {
        [state, ref images @ ..] => Ok(Hypothesis { state, images: images.to_vec(), spent: numbers(spent)? }),
        [] => Err("a hypothesis has no state of the automaton".to_owned()),
    }
}

/// A run of members that comes after another, all below a number.
fn interval(word: &str, before: Option<&u32>, below: usize) -> Read<(u32, u32)> {
    let (first, last): (u32, u32) = match word.split_once('-') {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(word)?, number(word)?),
    };
    if first > last || before.is_some_and(|&before| before >= first) {
        return Err("a set is not sorted".to_owned());
    }
    if last as usize >= below {
        return Err(format!("a set has the member {last}, and there are only {below}"));
    }
    Ok((first, last))
}

fn pair(rest: &str, layered: bool) -> Read<Pair> {
    let (body, rest) = halves(rest, ':')?;
    let covers = covers(rest)?;
    let body: Vec<&str> = words(body).collect();
    match body[..] {
        [actual, set] if !layered => Ok(Pair { actual: number(actual)?, set: number(set)?, layer: 0, covers }),
        [actual, set, layer] if layered => {
            Ok(Pair { actual: number(actual)?, set: number(set)?, layer: number(layer)?, covers })
        }
        _ => Err("a pair has too few or too many numbers".to_owned()),
    }
}

fn position(rest: &str) -> Read<Position> {
    let (body, rest) = halves(rest, ':')?;
    let (actual, hypotheses) = halves(body, ';')?;
    Ok(Position { actual: number(actual.trim_end())?, hypotheses: numbers(hypotheses)?, covers: covers(rest)? })
}

fn permutation(rest: &str) -> Read<(Vec<u32>, bool)> {
    let (word, images) = rest.split_once(' ').unwrap_or((rest, ""));
    let class_avoiding = match word {
        "apart" => true,
        "anywhere" => false,
        _ => return Err("a permutation is neither `apart` nor `anywhere`".to_owned()),
    };
    Ok((numbers(images)?, class_avoiding))
}

fn permutation_step(rest: &str) -> Read<PermutationStep> {
    let (body, next) = halves(rest, ':')?;
    match numbers(body)?[..] {
        [permutation, actual, hypothesis] => {
            Ok(PermutationStep { permutation, actual, hypothesis, next: numbers(next)? })
        }
        _ => Err("a step of a permutation has too few or too many numbers".to_owned()),
    }
}

fn exposed(rest: &str) -> Read<Violation> {
    let (body, moves) = halves(rest, ':')?;
    let (head, classes) = halves(body, ';')?;
    let moves = numbers(moves)?;
    let (pairs, []) = moves.as_chunks::<2>() else { return Err("a move has no target".to_owned()) };
    let moves = pairs.iter().map(|&[label, target]| (label, target)).collect();
    match numbers(head)?[..] {
        [initial @ 0..=1, start, before] => {
            Ok(Violation { initial: initial == 1, start, before: before as usize, classes: numbers(classes)?, moves })
        }
        _ => Err("an exposure has too few or too many numbers".to_owned()),
    }
}
