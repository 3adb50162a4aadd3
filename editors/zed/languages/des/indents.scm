(block "}" @end) @indent
(braces "}" @end) @indent
