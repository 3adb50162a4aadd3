;;; des-mode-test.el --- Tests of des-mode  -*- lexical-binding: t; -*-

;; emacs -Q --batch -L editors/emacs -l des-mode-test -f ert-run-tests-batch-and-exit

;;; Code:

(require 'ert)
(require 'des-mode)
(require 'compile)
(require 'imenu)

(defconst des-test-tour
  (expand-file-name "../test/tour.des" (file-name-directory (or load-file-name buffer-file-name))))

(defmacro des-test-with-tour (&rest body)
  "Run BODY in a coloured buffer with the tour of the language."
  `(with-temp-buffer
     (insert-file-contents des-test-tour)
     (des-mode)
     (font-lock-ensure)
     ,@body))

(defun des-test-face (pattern &optional offset)
  "The face OFFSET characters into the first match of PATTERN."
  (goto-char (point-min))
  (re-search-forward pattern)
  (get-text-property (+ (match-beginning 0) (or offset 0)) 'face))

(ert-deftest des-test-files-are-recognised ()
  (should (eq 'des-mode (assoc-default "model.des" auto-mode-alist #'string-match))))

(ert-deftest des-test-colours ()
  (des-test-with-tour
   (should (eq 'font-lock-doc-face (des-test-face "Everything")))
   (should (eq 'font-lock-comment-face (des-test-face "a line comment")))
   (should (eq 'font-lock-comment-face (des-test-face "comment \\*/")))
   (should (eq 'font-lock-string-face (des-test-face "parts.des")))
   (should (eq 'font-lock-type-face (des-test-face "component User" 10)))
   (should (eq 'font-lock-keyword-face (des-test-face "states  idle")))
   (should (eq nil (des-test-face "states  idle" 8)))
   (should (eq 'font-lock-function-name-face (des-test-face "idle -send" 6)))
   (should (eq 'font-lock-constant-face (des-test-face "infinite-step")))
   (should (eq 'font-lock-constant-face (des-test-face "initial-state")))
   (should (eq 'font-lock-constant-face (des-test-face "1-step" 1)))
   (should (eq 'font-lock-builtin-face (des-test-face "strong")))
   (should (eq 'font-lock-type-face (des-test-face "against Clerk" 8)))
   (should (eq 'font-lock-preprocessor-face (des-test-face "\\[\\?\\]" 1)))))

(ert-deftest des-test-a-backslash-outside-strings-is-an-operator ()
  (with-temp-buffer
    (insert "observable events \\ {\"a\\\"b\"}; // x")
    (des-mode)
    (should (= 0 (car (syntax-ppss (point-max)))))
    (should (nth 4 (syntax-ppss (point-max))))))

(ert-deftest des-test-indentation-comes-back ()
  (des-test-with-tour
   (let ((wanted (split-string (buffer-string) "\n")))
     (goto-char (point-min))
     (while (re-search-forward "^[ \t]+" nil t) (replace-match ""))
     (let ((inhibit-message t)) (indent-region (point-min) (point-max)))
     (dolist (pair (seq-mapn #'cons wanted (split-string (buffer-string) "\n")))
       ;; The inside of a block comment is the writer's.
       (unless (string-match-p "comment \\*/" (car pair))
         (should (equal (car pair) (cdr pair))))))))

(ert-deftest des-test-imenu-lists-what-is-declared ()
  (des-test-with-tour
   (let ((index (imenu--generic-function imenu-generic-expression)))
     (should (equal '("Network") (mapcar #'car (cdr (assoc "Systems" index)))))
     (should (equal '("User" "Mix") (mapcar #'car (cdr (assoc "Components" index))))))))

(ert-deftest des-test-the-short-format-is-understood-by-compile ()
  (with-temp-buffer
    (compilation-mode)
    (let ((inhibit-read-only t))
      (insert "model.des:3:5: error[E0201]: unknown event `c`\n"))
    (compilation--ensure-parse (point-max))
    (goto-char (point-min))
    (should (get-text-property (point) 'compilation-message))))

(provide 'des-mode-test)
;;; des-mode-test.el ends here
