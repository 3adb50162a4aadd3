[
  (block)
  (block_comment)
  (compose)
] @fold
