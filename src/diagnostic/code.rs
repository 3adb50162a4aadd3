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
    E0103 "a character that means nothing here";
    E0104 "a character that only looks right";
    E0105 "a quoted name is not closed";
    E0106 "a comment is not closed";
    E0107 "a brace, bracket or parenthesis is not closed";
    E0108 "a closing brace, bracket or parenthesis without an opening one";
    E0109 "nested too deeply";
    E0110 "a semicolon is missing";
    E0111 "unexpected text";
    E0112 "a word of the language is misspelt";
    E0113 "an arrow that is not complete";
    E0114 "a sign of assignment in a declaration";
    E0115 "a horizon is missing or misspelt";
    E0116 "a name is missing or empty";
    E0117 "the number of a label does not fit";
    E0118 "a qualifier is said twice";
    E0119 "a comparison of a comparison";
    E0120 "a statement outside a system";
    E0121 "an item inside a system";
    E0122 "parallel bars outside `compose`";
    E0123 "a sign or a word too many";
    E0124 "a sign is missing";
    E0125 "a word of the language as a name";
    E0126 "nothing is declared";
    E0127 "a range outside brackets";
    E0128 "a name that begins with a digit";
    W0129 "documentation of nothing";
    E0201 "unknown name";
    W0201 "a constant that nothing uses";
    E0202 "a name of the wrong kind";
    W0202 "a component that nothing uses";
    E0203 "a name declared twice";
    W0203 "an observer that no check is against";
    E0204 "`-D` names no constant";
    E0205 "one name in two files";
    E0206 "an import brings nothing in";
    E0207 "a circular import";
    E0208 "an imported model without a name";
    E0209 "a name for a `.des` file";
    E0210 "a format that is not known";
    E0301 "wrong number of arguments";
    E0302 "wrong number of indices";
    E0303 "index out of range";
    E0304 "a range that runs backwards";
    E0305 "a range that is too large";
    E0306 "division by zero";
    E0307 "integer overflow";
    E0308 "an integer for a truth value, or the other way round";
    E0309 "a constant defined through itself";
    E0401 "a statement that does not belong here";
    W0401 "a state that no run reaches";
    E0402 "no states";
    W0402 "an event that no transition uses";
    E0403 "no initial state";
    W0403 "a single anonymous event";
    E0404 "an anonymous event that is not observable";
    W0404 "a repeated transition";
    E0405 "observable and unobservable at once";
    W0405 "a secret that no run visits";
    E0406 "neither observable nor unobservable";
    W0406 "a set that is still empty";
    W0407 "a list between two arrows that goes over a line";
    E0407 "an event in two groups";
    E0408 "labels that collide";
    E0409 "a component that contains itself";
    E0410 "parts that disagree about an event";
    E0411 "no events";
    E0412 "too many states";
    E0413 "too many transitions";
    E0414 "too much to expand";
    E0415 "a composition with states of its own";
    E0416 "a composition of nothing";
    E0417 "a part with several names";
    E0418 "nothing in the file";
    E0501 "opacity without a secret";
    W0501 "`weak` or `strong` with nothing anonymous";
    E0502 "`initial-state` with anonymity";
    W0502 "a repeated check";
    E0503 "`among` below 2";
    E0504 "classes that overlap";
    E0505 "a qualifier that does not go with opacity";
    E0506 "an observation that nobody can see";
    E0507 "a K that does not fit";
    E0508 "an estimate at an instant that was never seen";
    E0601 "the format of a file is not known";
    E0602 "a foreign file does not follow its format";
    E0603 "a count does not fit what follows";
    E0604 "one event is observable here and unobservable there";
    E0605 "a foreign file uses a name it does not declare";
    E0606 "a foreign file uses what has no counterpart here";
    E0607 "a foreign file holds several models";
    E0608 "a foreign file declares a name twice";
    E0609 "a file that no tool writes by itself";
    E0610 "a name that the format cannot write";
    W0611 "what the format cannot carry";
    W0612 "names are written differently";
    W0613 "a key that is not read";
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
