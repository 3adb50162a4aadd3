//! The `desc` command.

fn main() {}
