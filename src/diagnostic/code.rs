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
    E0113 "an arrow without an event";
    E0114 "a sign of assignment in a declaration";
    E0115 "a horizon is missing or misspelt";
    E0116 "a name is missing or empty";
    E0117 "the number of a label does not fit";
    E0118 "a qualifier is said twice";
    E0119 "a comparison of a comparison";
    E0120 "a statement outside a system";
    E0121 "an item inside a system";
    E0122 "parallel bars outside `compose`";
    E0123 "a separator too many";
    E0124 "a separator is missing";
    E0125 "a word of the language as a name";
    E0126 "nothing is declared";
    E0127 "a range outside brackets";
    E0128 "a name that begins with a digit";
    W0129 "documentation of nothing";
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
    E0901 "a file cannot be read";
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
