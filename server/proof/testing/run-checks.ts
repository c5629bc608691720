import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/**
 * The stages of `npm test`. A stage starts only if the previous one has passed. The npm scripts of a stage run at the same
 * time, because each of them leaves a core idle now and then. The faults and the browser tests run alone, because they
 * measure time.
 */
const stages = [
  ['build', 'types', 'lint'],
  ['test:built'],
  ['faults -- --short'],
  ['test:e2e'],
  ['test:engines'],
]

// The path of npm's own script. Running it with Node needs no shell, not even on Windows.
const npm = process.env.npm_execpath
if (!npm) {
  process.stderr.write('Run this with: npm test\n')
  process.exit(1)
}

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Runs a script. Shows its output right away or, if `isShownNow` is false, at the end. Returns the script if it failed. */
async function runScript(script: string, isShownNow: boolean): Promise<string[]> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [npm as string, 'run', '--silent', ...script.split(' ')], {
    stdio: ['ignore', isShownNow ? 'inherit' : 'pipe', isShownNow ? 'inherit' : 'pipe'],
  })
  const output = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''))
  const [code] = await once(child, 'close')
  for (const part of await Promise.all(output)) process.stdout.write(part)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  print(`${code === 0 ? 'passed' : 'FAILED'}: npm run ${script} (${seconds} s)`)
  return code === 0 ? [] : [script]
}

for (const stage of stages) {
  const failed = (await Promise.all(stage.map((script, index) => runScript(script, index === 0)))).flat()
  if (failed.length > 0) {
    print(`\nnpm test FAILED: ${failed.join(', ')}`)
    process.exit(1)
  }
}
print('\nnpm test passed')
