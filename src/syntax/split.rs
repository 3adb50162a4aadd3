//! Where statements begin and end, found on the tokens before the parser runs.

/// Lines of documentation and what they belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DocComment {
    /// Where the item or the statement starts.
    pub owner: u32,
    /// The lines, without the slashes and the one space after them.
    pub lines: Vec<(u32, u32)>,
}
