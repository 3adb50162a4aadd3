" Indentation of .des files: one step per open brace, one more for a statement that goes on.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=DesIndent(v:lnum)
setlocal indentkeys=0{,0},!^F,o,O
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*DesIndent')
  finish
endif

" A line without strings and comments.
function! s:Code(lnum) abort
  let l:line = substitute(getline(a:lnum), '"\%(\\.\|[^"\\]\)*"', '""', 'g')
  let l:line = substitute(l:line, '/\*.\{-}\*/', '', 'g')
  let l:line = substitute(l:line, '/\*.*$\|^.\{-}\*/', '', '')
  return substitute(l:line, '//.*$', '', '')
endfunction

function! s:Count(text, what) abort
  return strlen(substitute(a:text, '[^' . a:what . ']', '', 'g'))
endfunction

" Whether a statement begins on the line and does not end there.
function! s:GoesOn(lnum) abort
  let l:code = s:Code(a:lnum)
  return l:code =~# '\S' && l:code !~# '[;{}]\s*$'
endfunction

function! DesIndent(lnum) abort
  let l:before = prevnonblank(a:lnum - 1)
  if l:before == 0
    return 0
  endif
  let l:code = s:Code(l:before)
  let l:indent = indent(l:before)
  " A brace that closes at the start of the line before was already counted there.
  let l:inner = substitute(l:code, '^\s*}\+', '', '')
  let l:depth = s:Count(l:inner, '{') - s:Count(l:inner, '}')
  let l:indent += shiftwidth() * l:depth
  let l:older = prevnonblank(l:before - 1)
  if l:depth == 0 && s:GoesOn(l:before) && !(l:older && s:GoesOn(l:older))
    let l:indent += shiftwidth()
  elseif !s:GoesOn(l:before) && l:older && s:GoesOn(l:older)
    let l:indent -= shiftwidth()
  endif
  if getline(a:lnum) =~# '^\s*}'
    let l:indent -= shiftwidth()
  endif
  return max([l:indent, 0])
endfunction
