#!/usr/bin/env node
// In the syntax of old Nodes and without static imports, so that they reach the sentence below and no syntax error.
const needed = 24
const major = Number(process.versions.node.split('.')[0])

function start() {
  return Promise.all([import('node:module'), import('node:fs'), import('node:v8')]).then(([module, fs, v8]) => {
    module.enableCompileCache()
    boundHeap(v8)
    // The published package holds the compiled files only: Node runs no TypeScript below node_modules.
    const source = new URL('./cli.ts', import.meta.url)
    return import(fs.existsSync(source) ? source.href : new URL('../dist/harness/cli.js', import.meta.url).href)
  })
}

/** On a large machine the heap would grow to twice what is used before it is swept: each of the two threads gets small
 * areas for young objects, and sweeps old ones earlier. */
function boundHeap(v8) {
  v8.setFlagsFromString('--max-semi-space-size=8')
  v8.setFlagsFromString('--semi-space-growth-factor=1')
  v8.setFlagsFromString('--heap-growing-percent=30')
}

if (major < needed) {
  process.stderr.write(
    `assay needs Node ${needed} or newer, and this is Node ${process.versions.node}: install a newer one, or run it through npm in a checkout.\n`,
  )
  process.exitCode = 2
} else {
  void start()
    .then((cli) => cli.main(process.argv.slice(2)))
    // Everything is closed by now. Should a connection or a thread be left, it must not keep the process alive.
    .then(() => setTimeout(() => process.exit(), 2000).unref())
}
