;;; eglot-test.el --- Emacs attached to the real server  -*- lexical-binding: t; -*-

;; Run by editors/test.sh with DESC=path/to/desc, where eglot is installed:
;;     emacs -Q --batch -f package-initialize -L editors/emacs -l eglot-test -f ert-run-tests-batch-and-exit

;;; Code:

(require 'ert)
(require 'eglot)
(require 'flymake)
(setq des-program (getenv "DESC"))
(require 'des-mode)

(defconst des-test-model
  "system S {\n    states A, B;\n    initial A;\n    events a;\n    A -a-> C;\n    check current-state;\n}\n")

(defun des-test-wait (true)
  "Wait until TRUE gives something, for half a minute at most."
  (with-timeout (30 nil)
    (let (found)
      (while (not (setq found (funcall true))) (accept-process-output nil 0.05))
      found)))

(defun des-test-shown (pattern)
  "Whether a diagnostic matches PATTERN."
  (lambda () (seq-find (lambda (one) (string-match-p pattern (flymake-diagnostic-text one))) (flymake-diagnostics))))

(ert-deftest des-test-eglot-knows-the-server ()
  (should (equal (assoc-default 'des-mode eglot-server-programs) (list (getenv "DESC") "lsp"))))

(ert-deftest des-test-eglot-shows-faults-and-verdicts ()
  (let ((file (make-temp-file "model" nil ".des" des-test-model)))
    (unwind-protect
        (with-current-buffer (find-file-noselect file)
          (should (eq major-mode 'des-mode))
          (apply #'eglot (eglot--guess-contact))
          (should (des-test-wait #'eglot-current-server))
          (flymake-start)               ; no command loop does it here
          (should (des-test-wait (des-test-shown "unknown state")))
          (goto-char (point-min))
          (search-forward "-> C")
          (replace-match "-> B")
          (eglot--signal-textDocument/didChange)
          (should (des-test-wait (des-test-shown "current-state")))
          (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
            (should (string-match-p "state `B`" (format "%S" hover)))))
      (delete-file file))))

(provide 'eglot-test)
;;; eglot-test.el ends here
