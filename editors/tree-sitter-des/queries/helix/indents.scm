[
  (block)
  (compose)
  (braces)
] @indent

"}" @outdent
