; nvim-treesitter's names; Helix reads queries/helix/indents.scm.
[
  (block)
  (compose)
  (braces)
] @indent.begin

"}" @indent.branch @indent.end

[
  (line_comment)
  (doc_comment)
  (block_comment)
] @indent.ignore
