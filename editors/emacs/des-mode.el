;;; des-mode.el --- Major mode for .des models  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; Colours, indentation, imenu and `M-x compile' for the .des language of `desc'.  With eglot (Emacs 29, or from GNU ELPA)
;; `M-x eglot' starts the language server.

;;; Code:

(defgroup des nil
  "Models of discrete-event systems."
  :group 'languages)

(defcustom des-indent-offset 4
  "Columns of one step of indentation."
  :type 'natnum
  :safe #'natnump
  :group 'des)

(defcustom des-program "desc"
  "The compiler."
  :type 'string
  :group 'des)

;; The words are those of the lexer; a test of the project compares them.
(defconst des-item-words '("import" "const" "component" "monitor" "system"))
(defconst des-set-words '("states" "events" "initial" "observable" "unobservable" "anonymous" "secret"))
(defconst des-statement-words '("final" "compose" "observer" "check" "measure" "may" "must"))
(defconst des-control-words '("for" "in" "if" "else" "as" "by" "together" "hide" "anonymise" "disable" "from" "cost" "not"))
(defconst des-projection-words '("strong" "weak" "natural"))
(defconst des-property-words '("anonymity" "opacity" "estimate" "projection" "repair"))
(defconst des-qualifier-words '("costs" "impossible" "of" "throughout" "except" "among" "about" "against" "given"))
(defconst des-horizon-words '("exactly" "infinite-step" "current-state" "initial-state" "initial-final"))

(defvar des-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "." table)
    (modify-syntax-entry ?_ "w" table)
    (dolist (mark '(?- ?+ ?% ?< ?> ?= ?! ?& ?| ??))
      (modify-syntax-entry mark "." table))
    table))

(defun des--syntax-propertize (start end)
  "Make `\\' an escape in strings only, between START and END."
  (goto-char start)
  (while (search-forward "\\" end t)
    (when (nth 3 (save-excursion (syntax-ppss (1- (point)))))
      (put-text-property (1- (point)) (point) 'syntax-table (string-to-syntax "\\"))
      (when (< (point) end) (forward-char)))))

(defvar des-font-lock-keywords
  `((,(regexp-opt des-horizon-words 'symbols) . font-lock-constant-face)
    ("-step\\_>" . font-lock-constant-face)
    ("\\_<\\(?:system\\|component\\|monitor\\|observer\\|against\\)\\s-+\\(\\sw+\\)" 1 font-lock-type-face)
    ("=\\s-*\\(\\sw+\\)\\s-*\\(?:(\\|for\\_>\\|,\\|;\\)" 1 font-lock-type-face)
    ("\\_<\\(?:check\\|measure\\)\\s-+\\(\\sw+\\)\\s-*:" 1 font-lock-variable-name-face)
    ("\\_<const\\s-+\\(\\sw+\\)" 1 font-lock-constant-face)
    (,(regexp-opt des-item-words 'symbols) . font-lock-keyword-face)
    (,(regexp-opt des-set-words 'symbols) . font-lock-keyword-face)
    (,(regexp-opt des-statement-words 'symbols) . font-lock-keyword-face)
    (,(regexp-opt des-control-words 'symbols) . font-lock-keyword-face)
    (,(regexp-opt des-projection-words 'symbols) . font-lock-builtin-face)
    (,(regexp-opt des-property-words 'symbols) . font-lock-builtin-face)
    (,(regexp-opt des-qualifier-words 'symbols) . font-lock-keyword-face)
    ("\\(-\\)\\([^->;\n]*\\)\\(->\\)"
     (1 font-lock-keyword-face) (2 font-lock-function-name-face) (3 font-lock-keyword-face))
    ("[?γ]\\(?:[0-9]+\\|[₀-₉]+\\)?" . font-lock-preprocessor-face)
    ("\\_<[0-9]+\\_>" . font-lock-constant-face))
  "What gets which colour.")

(defun des--font-lock-syntactic-face (state)
  "The face of a string or a comment, by the parser's STATE."
  (cond ((nth 3 state) font-lock-string-face)
        ((save-excursion (goto-char (nth 8 state)) (looking-at-p "///")) font-lock-doc-face)
        (t font-lock-comment-face)))

(defun des--goes-on-p ()
  "Whether the statement before this line goes on in it."
  (save-excursion
    (beginning-of-line)
    (forward-comment (- (buffer-size)))
    (not (or (bobp) (memq (char-before) '(?\; ?\{ ?\}))))))

(defun des-indent-line ()
  "Indent the line: one step per open brace, one more for a statement that goes on."
  (interactive)
  (let* ((depth (save-excursion (back-to-indentation) (car (syntax-ppss))))
         (closes (save-excursion (back-to-indentation) (looking-at-p "[]})]")))
         (steps (cond (closes (1- depth))
                      ((save-excursion (back-to-indentation) (des--goes-on-p)) (1+ depth))
                      (t depth)))
         (from-end (- (point-max) (point))))
    (indent-line-to (* des-indent-offset (max 0 steps)))
    (when (> (- (point-max) from-end) (point))
      (goto-char (- (point-max) from-end)))))

(defvar des-imenu-generic-expression
  '(("Systems" "^\\s-*system\\s-+\\(\\sw+\\)" 1)
    ("Components" "^\\s-*\\(?:component\\|monitor\\)\\s-+\\(\\sw+\\)" 1)
    ("Observers" "^\\s-*observer\\s-+\\(\\sw+\\)" 1)
    ("Constants" "^\\s-*const\\s-+\\(\\sw+\\)" 1)
    ("Checks" "^\\s-*check\\s-+\\(\\sw+\\)\\s-*:" 1))
  "What imenu lists.")

;;;###autoload
(define-derived-mode des-mode prog-mode "des"
  "Models of discrete-event systems, and what an intruder may learn of them."
  :syntax-table des-mode-syntax-table
  (setq-local comment-start "// "
              comment-end ""
              comment-start-skip "\\(?://+\\|/\\*+\\)\\s-*"
              indent-line-function #'des-indent-line
              indent-tabs-mode nil
              imenu-generic-expression des-imenu-generic-expression
              syntax-propertize-function #'des--syntax-propertize
              parse-sexp-lookup-properties t
              font-lock-defaults
              '(des-font-lock-keywords nil nil nil
                (font-lock-syntactic-face-function . des--font-lock-syntactic-face)))
  (when buffer-file-name
    (setq-local compile-command
                (concat des-program " check --message-format short " (shell-quote-argument buffer-file-name)))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.des\\'" . des-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs `(des-mode . (,des-program "lsp"))))

(provide 'des-mode)
;;; des-mode.el ends here
