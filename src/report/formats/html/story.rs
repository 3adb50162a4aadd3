//! The counterexamples of a system: what is known, the drawings, the steps, what helps.

use super::{Page, WORDS, badge, capital, code, escape, parts, steps};
use crate::draw::{self, Graph};
use crate::report::counterexample::Story;
use crate::report::phrasing::count;
use crate::report::scribe::SharedStories;
use crate::report::{CheckReport, FileReport, Kind, PropertyReport, SystemReport};
use std::fmt::Write;

impl Page<'_> {
    /// The stories of a system, each once.
    pub(super) fn stories(&mut self, id: &str, file: &FileReport, system: &SystemReport<'_>, graph: Option<&Graph>) {
        let mut stories = SharedStories::default();
        for at in 0..system.n_checks() {
            if !system.check(at).is_exposed() {
                continue;
            }
            if !self.out.goes_on() {
                self.out.teller.leave_out(1);
                continue;
            }
            let mut check = system.with_story(at, &mut self.out.teller);
            if stories.first(&check, at) != Some(at) {
                continue;
            }
            system.add_remedies(&mut check, at, &mut self.out.teller);
            self.story(&format!("{id}-{at}"), file, (system, graph), &check);
        }
    }

    /// The drawings of a story: of a composed system those of its parts, and the whole of it folded.
    fn drawn_story(&mut self, system: &SystemReport<'_>, graph: Option<&Graph>, story: &Story) {
        self.drawings += 1;
        let prefix = format!("d{}-", self.drawings);
        self.out.put("<div class=\"drawings\">\n");
        if parts::drawings(&mut self.out, system.system, story, &prefix) {
            if graph.is_some() {
                self.out.put("<details class=\"folded\"><summary>The whole system</summary>\n");
                self.drawing(system, graph, Some(&story.exposed.ids));
                self.out.put("</details>\n");
            }
        } else {
            self.drawing(system, graph, Some(&story.exposed.ids));
        }
        self.out.put("</div>\n");
    }

    /// The drawing of a system with some states highlighted; a note if it is too large.
    pub(super) fn drawing(&mut self, system: &SystemReport<'_>, graph: Option<&Graph>, highlighted: Option<&[u32]>) {
        self.drawings += 1;
        let options = draw::Options {
            prefix: format!("d{}-", self.drawings),
            legend: highlighted.is_none(),
            ..Default::default()
        };
        let options = draw::Options { background: false, ..options };
        let drawn = graph.map(|graph| {
            let mut graph = graph.clone();
            for node in &mut graph.nodes {
                let is_among = |states: &[u32]| node.states.iter().any(|state| states.binary_search(state).is_ok());
                node.highlight = highlighted.is_some_and(is_among);
            }
            draw::svg(&graph, &options)
        });
        match drawn {
            Some(Ok(svg)) => {
                let _ = writeln!(
                    self.out,
                    "<figure class=\"drawing\" tabindex=\"0\" aria-label=\"Drawing of {}\">{svg}</figure>",
                    escape(&system.title())
                );
            }
            _ if highlighted.is_none() => {
                let size = format!(
                    "{} and {}",
                    count(system.n_states() as u64, "state"),
                    count(system.n_transitions() as u64, "transition")
                );
                let _ = writeln!(self.out, "<p class=\"note\">The system has {size}: too large to draw.</p>");
            }
            _ => {}
        }
    }

    /// The story of one check.
    pub(super) fn story(
        &mut self,
        id: &str,
        file: &FileReport,
        (system, graph): (&SystemReport<'_>, Option<&Graph>),
        check: &CheckReport<'_>,
    ) {
        let Kind::Property(found) = &check.kind else { return };
        let _ = write!(
            self.out,
            "<section class=\"story\" id=\"story-{id}\" aria-labelledby=\"title-{id}\">\n<h4 id=\"title-{id}\">{} <code>{}</code></h4>\n",
            badge(check),
            escape(check.text)
        );
        let _ = writeln!(self.out, "<p>{}.</p>", code(&capital(&WORDS.headline(check))));
        if let Some(sooner) = WORDS.at_the_distance(found) {
            let _ = writeln!(self.out, "<p>{}.</p>", code(&sooner));
        }
        if let Some(story) = &found.story {
            self.stage(file, (system, graph), story);
        }
        if let Some(help) = WORDS.help(check) {
            let _ = writeln!(self.out, "<p class=\"help\"><b>Help:</b> {}.</p>", code(&help));
        }
        self.out.put("</section>\n");
        self.others(id, file, (system, graph), check);
    }

    /// The drawings of a story beside its steps.
    fn stage(&mut self, file: &FileReport, (system, graph): (&SystemReport<'_>, Option<&Graph>), story: &Story) {
        self.out.put("<div class=\"stage\">\n");
        self.drawn_story(system, graph, story);
        steps::steps(&mut self.out, (self.file, file), story, WORDS);
        self.out.put("</div>\n");
        parts::lanes(&mut self.out, story);
    }

    /// The exposures that are really different, if they were asked for.
    fn others(
        &mut self,
        id: &str,
        file: &FileReport,
        drawn: (&SystemReport<'_>, Option<&Graph>),
        check: &CheckReport<'_>,
    ) {
        let Kind::Property(found) = &check.kind else { return };
        let PropertyReport { others: Some(others), goal, .. } = &**found else { return };
        for (at, story) in others.stories.iter().enumerate() {
            let (id, number) = (format!("{id}-{}", at + 2), at + 2);
            let _ = write!(
                self.out,
                "<section class=\"story\" id=\"story-{id}\" aria-labelledby=\"title-{id}\">\n\
                 <h4 id=\"title-{id}\">Exposure {number} of <code>{}</code></h4>\n<p>{}.</p>\n",
                escape(check.text),
                code(&capital(&WORDS.knowledge(check, goal, story)))
            );
            self.stage(file, drawn, story);
            self.out.put("</section>\n");
        }
        let _ = writeln!(self.out, "<p class=\"note\">{}.</p>", code(&capital(&WORDS.are_these_all(others))));
    }
}
