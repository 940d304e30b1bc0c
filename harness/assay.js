#!/usr/bin/env node
// In the syntax of old Nodes and without static imports, so that they reach the sentence below and no syntax error.
const [major, minor] = process.versions.node.split('.').map(Number)

function main() {
  return Promise.all([import('node:module'), import('node:fs')]).then(([module, fs]) => {
    // The published package holds the compiled files only: Node runs no TypeScript below node_modules. Older Nodes run
    // the compiled files, and not all of the syntax of the sources.
    const source = new URL('./cli.ts', import.meta.url)
    const isCheckout = fs.existsSync(source)
    const needed = isCheckout ? [24, 0] : [22, 19]
    if (major < needed[0] || (major === needed[0] && minor < needed[1])) return refuse(needed, isCheckout)
    // Node keeps a compile cache for each set of flags, and asks for them here: flags that are set later would make V8
    // refuse what other commands have cached, and the next of those what this one does.
    if (judging.includes(process.argv[2])) boundHeap(process.getBuiltinModule('node:v8'))
    module.enableCompileCache()
    return isCheckout
      ? start('./own-modules.ts', './cli.ts')
      : start('../dist/harness/own-modules.js', '../dist/harness/cli.js')
  })
}

function refuse(needed, isCheckout) {
  const mend = isCheckout ? 'install a newer one, or run it through npm' : 'install a newer one'
  const version = isCheckout ? needed[0] : needed.join('.')
  process.stderr.write(`assay needs Node ${version} or newer, and this is Node ${process.versions.node}: ${mend}\n`)
  process.exitCode = 2
}

/** The commands that read what any server says. The others end sooner than the small areas below would save anything. */
const judging = ['run', 'compare', 'selftest']

/** On a large machine the areas for young objects would grow to many times what is used: those of each thread stay small.
 * Areas of 1 MB, with which V8 begins, would be swept every few milliseconds. Old objects are the matter of
 * `vitest/sweeping.ts`. */
function boundHeap(v8) {
  v8.setFlagsFromString('--min-semi-space-size=4')
  v8.setFlagsFromString('--max-semi-space-size=8')
  v8.setFlagsFromString('--semi-space-growth-factor=1')
}

function start(ownModules, cli) {
  return (
    import(ownModules)
      .then(({ resolveAtOnce }) => resolveAtOnce())
      .then(() => import(cli))
      .then((program) => program.main(process.argv.slice(2)))
      // Everything is closed by now. Should a connection or a thread be left, it must not keep the process alive.
      .then(() => setTimeout(() => process.exit(), 2000).unref())
  )
}

void main()
