" :compiler desc, then :make: the faults and the violated checks of a file go to the quickfix list.
if exists('current_compiler')
  finish
endif
let current_compiler = 'desc'

if exists(':CompilerSet') != 2
  command -nargs=* CompilerSet setlocal <args>
endif

CompilerSet makeprg=desc\ check\ --message-format\ short\ %:S
" A check that passes is a note: it is no place to go to.
CompilerSet errorformat=%-G%f:%l:%c:\ note[%.%#,
      \%f:%l:%c:\ %trror[%*[EW]%n]:\ %m,
      \%f:%l:%c:\ %tarning[%*[EW]%n]:\ %m,
      \%f:%l:%c:\ %trror[%*[a-z]]:\ %m,
      \%f:%l:%c:\ %trror:\ %m,
      \%f:%l:%c:\ %tarning:\ %m,
      \%f:%l:%c:\ %m,
      \%-G%.%#
