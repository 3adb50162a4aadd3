" Run by editors/test.sh, in Vim and in Neovim: the colours, the indentation and the quickfix list of a .des file.
"     vim -Nu NONE -es -S editors/vim/test.vim
set nocompatible
let s:here = expand('<sfile>:p:h')
execute 'set runtimepath^=' . fnameescape(s:here)
filetype plugin indent on
syntax on
set hidden encoding=utf-8
let v:errors = []

function! s:GroupAt(pattern, offset) abort
  call cursor(1, 1)
  let [l:line, l:column] = searchpos(a:pattern, 'cW')
  call assert_notequal(0, l:line, 'not found: ' . a:pattern)
  return synIDattr(synID(l:line, l:column + a:offset, 1), 'name')
endfunction

function! s:Coloured(pattern, offset, group) abort
  call assert_equal(a:group, s:GroupAt(a:pattern, a:offset), a:pattern)
endfunction

execute 'edit ' . fnameescape(s:here . '/../test/tour.des')
call assert_equal('des', &filetype)
call s:Coloured('^/// Everything', 4, 'desDoc')
call s:Coloured('import', 0, 'desItem')
call s:Coloured('"parts.des"', 1, 'desString')
call s:Coloured('// a line', 3, 'desComment')
call s:Coloured('comment \*/', 0, 'desComment')
call s:Coloured('component User', 10, 'desTypeName')
call s:Coloured('states  idle', 0, 'desSet')
call s:Coloured('states  idle', 8, 'desName')
call s:Coloured('idle -send', 5, 'desArrowMark')
call s:Coloured('idle -send', 6, 'desEvent')
call s:Coloured('-> waiting', 0, 'desArrowMark')
call s:Coloured('-> waiting', 3, 'desName')
call s:Coloured('held\[i - 1\]', 7, 'desOperator')
call s:Coloured('-{send\[i\], ack}', 11, 'desEvent')
call s:Coloured('for i in', 0, 'desControl')
call s:Coloured('u\[1\].waiting', 2, 'desNumber')
call s:Coloured('check quiet', 6, 'desLabel')
call s:Coloured('not weak', 0, 'desControl')
call s:Coloured('not weak', 4, 'desProjection')
call s:Coloured('infinite-step', 0, 'desHorizon')
call s:Coloured('initial-state', 0, 'desHorizon')
call s:Coloured('strong 1-step', 7, 'desNumber')
call s:Coloured('strong 1-step', 9, 'desHorizon')
call s:Coloured('against Clerk', 8, 'desTypeName')
call s:Coloured('given \[? ', 7, 'desSign')

" A file that was flattened gets its indentation back.
let s:wanted = getline(1, '$')
silent %s/^\s\+//e
silent normal! gg=G
for s:at in range(len(s:wanted))
  " The inside of a block comment is the writer's.
  if s:wanted[s:at] !~# 'comment \*/'
    call assert_equal(s:wanted[s:at], getline(s:at + 1), 'line ' . (s:at + 1))
  endif
endfor
silent edit!

" :make fills the quickfix list. The lines are made up, so that this needs no binary.
call assert_equal('desc check --message-format short %:S', &makeprg)
let s:lines = [
      \ 'model.des:2:5: note[holds]: check weak 2-step: holds for any number of steps',
      \ 'model.des:3:5: error[E0201]: unknown event `c`',
      \ 'model.des:9:1: warning[W0402]: state `B` is not reachable',
      \ 'model.des:14:5: error[violated]: check weak 0-step: the intruder is sure',
      \ 'model.des:15:5: note[holds]: check strong 0-step: holds up to 0 steps',
      \ 'and a summary',
      \ ]
let &g:errorformat = &l:errorformat " :cgetexpr looks at the global one, :make at the local one
cgetexpr s:lines
let s:found = filter(getqflist(), 'v:val.valid')
call assert_equal(3, len(s:found))
call assert_equal([3, 5, 'e', 201], [s:found[0].lnum, s:found[0].col, s:found[0].type, s:found[0].nr])
call assert_equal('unknown event `c`', s:found[0].text)
call assert_equal('w', s:found[1].type)
" :make goes to the first entry: a fault, not a check that holds.
call assert_equal(3, getqflist()[0].lnum)
call assert_equal([14, 5, 'e'], [s:found[2].lnum, s:found[2].col, s:found[2].type])

call writefile(v:errors, exists('$DES_TEST_OUT') ? $DES_TEST_OUT : '/dev/stderr', 'a')
if len(v:errors) > 0
  cquit
endif
qall!
