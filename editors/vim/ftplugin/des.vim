" Comments, brackets, folding and the compiler of .des files.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s
setlocal comments=s1:/*,mb:*,ex:*/,:///,://
setlocal formatoptions-=t formatoptions+=croql
setlocal shiftwidth=4 softtabstop=4 expandtab
setlocal suffixesadd=.des
setlocal include=^\\s*import
setlocal define=^\\s*\\%(system\\\|component\\\|observer\\\|const\\)
setlocal matchpairs+=(:),{:},[:]

if !exists('current_compiler')
  compiler desc
endif

let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< shiftwidth< softtabstop< expandtab<'
      \ . ' suffixesadd< include< define< matchpairs<'
