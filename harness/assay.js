#!/usr/bin/env node
// This file uses old syntax and no static imports, so that an old Node prints the message below and not a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number)

function main() {
  const isSupervised = process.argv[2] === '--supervised' && process.send !== undefined
  if (isSupervised) process.argv.splice(2, 1)
  return Promise.all([import('node:module'), import('node:fs')]).then(([module, fs]) => {
    // The published package has only compiled files, because Node runs no TypeScript below node_modules. Older
    // versions of Node run the compiled files, but do not support all of the syntax of the sources.
    const source = new URL('./cli.ts', import.meta.url)
    const isCheckout = fs.existsSync(source)
    const needed = isCheckout ? [24, 0] : [22, 19]
    if (isOlderThan(needed[0], needed[1])) return refuse(needed, isCheckout)
    module.enableCompileCache()
    const load = isCheckout ? (name) => import(`./${name}.ts`) : (name) => import(`../dist/harness/${name}.js`)
    return !isSupervised && isLong(process.argv.slice(2)) ? supervise(load) : start(load, isSupervised)
  })
}

const isOlderThan = (wanted, patch) => major < wanted || (major === wanted && minor < patch)

function refuse(needed, isCheckout) {
  const mend = isCheckout ? 'install a newer one, or run it through npm' : 'install a newer one'
  const version = isCheckout ? needed[0] : needed.join('.')
  process.stderr.write(`assay needs Node ${version} or newer, and this is Node ${process.versions.node}: ${mend}\n`)
  process.exitCode = 2
}

/** The commands that read data from servers. The others end before the small heap areas below could save anything. */
const judging = ['run', 'compare', 'selftest']

/** The commands that a second process supervises: they talk to servers or clients, and clean up after an interrupt. */
const supervised = [...judging, 'clean', 'serve', 'replay', 'provider']
const isLong = (args) => supervised.includes(args[0]) && !args.includes('--help') && !args.includes('-h')

/** Keeps the V8 areas for young objects small in each thread: on a large machine they would grow to many times what is
 * used. The initial 1 MB would be collected every few milliseconds, so the second process has to be started with these:
 * a thread that runs keeps its areas. `vitest/sweeping.ts` handles old objects. */
const boundedHeap = ['--min-semi-space-size=4', '--max-semi-space-size=8', '--semi-space-growth-factor=1']

const supervise = (load) =>
  load('supervisor').then(({ superviseCommand }) => {
    const args = process.argv.slice(2)
    return superviseCommand(process.argv[1], args, judging.includes(args[0]) ? boundedHeap : [])
  })

function start(load, isSupervised) {
  return (
    load('own-modules')
      .then(({ resolveAtOnce }) => resolveAtOnce())
      .then(() => load('cli'))
      .then((program) => program.main(process.argv.slice(2), isSupervised))
      // Everything is closed by now. If a connection or a thread is left, it must not keep the process alive.
      .then(() => setTimeout(() => process.exit(), 2000).unref())
  )
}

void main()
