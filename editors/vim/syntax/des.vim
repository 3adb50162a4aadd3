" Colours of .des files. The words are those of the lexer; a test of the project compares them.
if exists('b:current_syntax')
  finish
endif

syntax case match
syntax sync minlines=200

" Names come first: what is defined later wins at the same place.
syntax match desName /[[:alpha:]_\u0080-\uffff][[:alnum:]_\u0080-\uffff]*/
syntax match desNumber /\<\d\+\>/
syntax match desOperator /[-+*%<>!=&|\\]\|\.\./
syntax match desDelimiter /[,;:.]/
syntax match desSign /[?γ]\%(\d\+\|[₀-₉]\+\)\?/ contained

" Matches, not keywords: a keyword would win over `initial-state`.
syntax match desItem /\<\%(import\|const\|component\|monitor\|system\)\>/
syntax match desSet /\<\%(states\|events\|initial\|observable\|unobservable\|anonymous\|secret\)\>/
syntax match desStatement /\<\%(final\|compose\|observer\|check\|measure\|may\|must\)\>/
syntax match desControl /\<\%(for\|in\|if\|else\|as\|by\|together\|hide\|anonymise\|disable\|from\|cost\|not\)\>/
syntax match desProjection /\<\%(strong\|weak\|natural\)\>/
syntax match desProperty /\<\%(anonymity\|opacity\|estimate\|projection\|repair\)\>/
syntax match desQualifier /\<\%(costs\|impossible\|of\|throughout\|except\|among\|about\|against\|given\)\>/
syntax match desHorizon /\<\%(exactly\|infinite-step\|current-state\|initial-state\|initial-final\)\>/
syntax match desHorizon /-step\>/

syntax match desTypeName /\%(\<\%(system\|component\|monitor\|observer\|against\)\s\+\)\@<=[[:alpha:]_\u0080-\uffff][[:alnum:]_\u0080-\uffff]*/
syntax match desLabel /\%(\<\%(check\|measure\)\s\+\)\@<=[[:alpha:]_][[:alnum:]_]*\ze\s*:/

" An arrow and what happens inside it.
syntax match desEvent /[[:alpha:]_\u0080-\uffff][[:alnum:]_\u0080-\uffff]*\|\d\+/ contained
syntax region desArrow matchgroup=desArrowMark start=/-\ze[^-;>]*->/ end=/->/
      \ contains=desEvent,desString,desIndices,desComment,desDelimiter,desOperator,desBuiltin
syntax match desBuiltin /\<\%(events\|observable\|unobservable\|anonymous\)\>/ contained

syntax region desIndices matchgroup=desDelimiter start=/\[/ end=/\]/ contains=desNumber,desName,desOperator,desDelimiter,desSign,desString,desComment,desIndices

syntax region desString start=/"/ skip=/\\./ end=/"/ end=/$/ contains=desEscape
syntax match desEscape /\\./ contained

syntax keyword desTodo TODO FIXME NOTE XXX contained
syntax match desComment /\/\/.*$/ contains=desTodo,@Spell
syntax match desDoc /\/\/\/.*$/ contains=desTodo,@Spell
syntax region desComment start=/\/\*/ end=/\*\// contains=desTodo,@Spell

" `syn-fold`: blocks fold with foldmethod=syntax.
syntax region desBlock start=/{/ end=/}/ transparent fold

highlight default link desItem Structure
highlight default link desSet Statement
highlight default link desStatement Keyword
highlight default link desControl Repeat
highlight default link desProjection Type
highlight default link desProperty Type
highlight default link desQualifier Keyword
highlight default link desHorizon Constant
highlight default link desBuiltin Statement
highlight default link desTypeName Type
highlight default link desLabel Label
highlight default link desName Identifier
highlight default link desEvent Function
highlight default link desArrowMark Operator
highlight default link desNumber Number
highlight default link desOperator Operator
highlight default link desDelimiter Delimiter
highlight default link desSign Special
highlight default link desString String
highlight default link desEscape SpecialChar
highlight default link desComment Comment
highlight default link desDoc SpecialComment
highlight default link desTodo Todo

let b:current_syntax = 'des'
