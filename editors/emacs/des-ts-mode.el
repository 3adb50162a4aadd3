;;; des-ts-mode.el --- des-mode with tree-sitter  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1"))
;; Keywords: languages
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; `des-mode' with its colours taken from the tree of the text instead of from its words, in an Emacs that was built with
;; tree-sitter and has the grammar.  Without either it is `des-mode' itself.

;;; Code:

(require 'des-mode)
(require 'treesit nil t)

(declare-function treesit-ready-p "treesit")
(declare-function treesit-parser-create "treesit.c")
(declare-function treesit-font-lock-rules "treesit")
(declare-function treesit-major-mode-setup "treesit")
(defvar treesit-font-lock-settings)
(defvar treesit-font-lock-feature-list)

(defconst des-ts-queries
  (expand-file-name "../tree-sitter-des/queries/emacs/highlights.scm"
                    (file-name-directory (or load-file-name buffer-file-name default-directory)))
  "The file that says what gets which colour.")

(defun des-ts--query ()
  "The text of `des-ts-queries'."
  (with-temp-buffer
    (insert-file-contents des-ts-queries)
    (buffer-string)))

;;;###autoload
(define-derived-mode des-ts-mode des-mode "des"
  "Models of discrete-event systems, coloured by tree-sitter."
  (when (and (fboundp 'treesit-ready-p) (treesit-ready-p 'des))
    (treesit-parser-create 'des)
    (setq-local treesit-font-lock-settings
                (treesit-font-lock-rules :language 'des :feature 'des (des-ts--query))
                treesit-font-lock-feature-list '((des)))
    (treesit-major-mode-setup)))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs `(des-ts-mode . (,des-program "lsp"))))

(provide 'des-ts-mode)
;;; des-ts-mode.el ends here
