//! Every code, in one table. A number is never reused.
//!
//! 01xx text and syntax, 02xx names, 03xx types and values, 04xx structure and composition, 05xx checks, 06xx foreign formats,
//! 09xx limits and files. `E` is an error, `W` a warning. Each has a page under `explain/`.

use super::Severity;
use std::fmt;

macro_rules! codes {
    ($($code:ident $title:literal;)*) => {
        /// Which fault a diagnostic reports.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Code { $($code,)* }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[$(Code::$code,)*];

            /// The code as it is printed: `E0201`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$code => stringify!($code),)* }
            }

            /// What it is about, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$code => $title,)* }
            }

            /// The page that `desc explain` prints: Markdown.
            pub fn page(self) -> &'static str {
                match self { $(Code::$code => include_str!(concat!("explain/", stringify!($code), ".md")),)* }
            }
        }
    };
}

codes! {
    E0101 "the text is not valid UTF-8";
    E0102 "the file is too large";
    E0103 "a character that is not allowed";
    E0104 "a character that looks like another one";
    E0105 "a quoted name is not closed";
    E0106 "a comment is not closed";
    E0107 "a brace, bracket or parenthesis is not closed";
    E0108 "an unmatched closing brace, bracket or parenthesis";
    E0109 "nested too deeply";
    E0110 "a semicolon is missing";
    E0111 "unexpected text";
    E0112 "a misspelt keyword";
    E0113 "an incomplete arrow";
    E0114 "an assignment symbol in a declaration";
    E0115 "a horizon is missing or misspelt";
    E0116 "a name is missing or empty";
    E0117 "the number of a label is too large";
    E0118 "a repeated qualifier";
    E0119 "a chained comparison";
    E0120 "a statement outside a system";
    E0121 "an item inside a system";
    E0122 "parallel bars outside `compose`";
    E0123 "a superfluous symbol or word";
    E0124 "a missing symbol";
    E0125 "a keyword used as a name";
    E0126 "an empty declaration";
    E0127 "a range outside brackets";
    E0128 "a name that starts with a digit";
    W0129 "a documentation comment without an item";
    E0130 "a variable or an assignment";
    E0131 "a guard on a transition";
    E0132 "a probability or a rate";
    E0133 "a clock or a delay";
    E0134 "a formula of temporal logic";
    E0135 "a priority or fairness";
    E0136 "hiding";
    E0137 "renaming";
    E0138 "a system with parameters";
    E0139 "a channel or a message";
    E0140 "a statement of a program";
    E0201 "unknown name";
    W0201 "an unused constant";
    E0202 "a name of the wrong kind";
    W0202 "an unused component";
    E0203 "a name declared twice";
    W0203 "an unused observer";
    E0204 "`-D` names no constant";
    E0205 "a name declared in two files";
    E0206 "an import that cannot be read";
    E0207 "a circular import";
    E0208 "an imported model without a name";
    E0209 "a name for a `.des` file";
    E0210 "an unsupported format";
    E0301 "wrong number of arguments";
    E0302 "wrong number of indices";
    E0303 "index out of range";
    E0304 "a range that runs backwards";
    E0305 "a range that is too large";
    E0306 "division by zero";
    E0307 "integer overflow";
    E0308 "an integer where a Boolean is expected, or the reverse";
    E0309 "a constant that depends on itself";
    E0310 "several values where one is needed";
    E0401 "a misplaced statement";
    W0401 "an unreachable state";
    E0402 "no states";
    W0402 "an unused event";
    E0403 "no initial state";
    W0403 "a group of one anonymous event";
    E0404 "an anonymous event that is not observable";
    W0404 "a repeated transition";
    E0405 "an event both observable and unobservable";
    W0405 "a secret that no run visits";
    E0406 "an event neither observable nor unobservable";
    W0406 "a set that is empty at this point";
    W0407 "a list of states between two arrows that spans lines";
    E0407 "an event in two groups";
    E0408 "colliding labels";
    W0408 "an event that one part lists and never does";
    E0409 "a component that contains itself";
    W0409 "an event of one part that resembles one of another part";
    E0410 "parts that disagree about observability";
    W0410 "a composition that gets stuck";
    E0411 "no events";
    E0412 "too many states";
    E0413 "too many transitions";
    E0414 "a model that is too large to expand";
    E0415 "a composition with declarations of its own";
    E0416 "a composition without parts";
    E0417 "a part with several names";
    E0418 "an empty file";
    E0419 "a range where one label or agent is named";
    W0420 "a label or an agent without events";
    E0420 "a monitor that is not deterministic";
    E0421 "an event that only monitors have";
    E0422 "a monitor composed of parts";
    E0423 "an event with two agents";
    E0424 "observers whose agents cannot be pooled";
    E0501 "opacity without a secret";
    W0501 "`weak` or `strong` without anonymous events";
    E0502 "`initial-state` with anonymity";
    W0502 "a repeated check";
    E0503 "`among` out of range";
    W0503 "a check that ignores `anonymous`";
    E0504 "overlapping classes";
    E0505 "a qualifier that cannot be combined with opacity";
    E0506 "an impossible observation";
    E0507 "a K that is out of range";
    E0508 "an estimate at an instant outside the observation";
    E0509 "`of` without opacity";
    E0510 "`initial-final` without its two sets, or two sets without it";
    E0511 "`throughout` where it has no meaning";
    E0520 "a cost that is out of range";
    W0520 "a change that has no effect";
    E0521 "a clause that does not belong to a change";
    W0521 "a change that is offered twice";
    E0522 "changes that contradict each other";
    E0523 "hidden from a pool of observers";
    E0601 "the format of a file is unknown";
    E0602 "a foreign file does not follow its format";
    E0603 "a count that does not match";
    E0604 "an event both observable and unobservable in a foreign file";
    E0605 "a foreign file uses a name it does not declare";
    E0606 "a foreign file uses an unsupported construct";
    E0607 "a foreign file contains several models";
    E0608 "a foreign file declares a name twice";
    E0609 "a declared size that exceeds the file";
    E0610 "a name that the format cannot represent";
    W0611 "information that the format cannot represent";
    W0612 "changed names";
    W0613 "an ignored key";
    W0614 "ignored probabilities";
    E0901 "a file cannot be read";
    W0902 "a limit was reached before a system was built";
}

impl Code {
    /// `E` codes are errors, `W` codes warnings.
    pub fn severity(self) -> Severity {
        if self.as_str().starts_with('W') { Severity::Warning } else { Severity::Error }
    }

    /// The code of a name such as `E0201` (any case).
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
