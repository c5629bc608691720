import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/**
 * `npm test`. The npm scripts of a stage run at the same time, because each of them leaves a core idle now and then. The
 * faults and browser tests run alone, because they measure time. A stage starts only if the previous one has passed.
 */
const stages = [
  ['build', 'types', 'lint'],
  ['test:built', 'test:other-agency -- --short'],
  ['faults -- --short'],
  ['test:e2e'],
  ['test:engines'],
]

/** npm itself, so that no shell is needed, not even on Windows. */
const npm = process.env.npm_execpath
if (!npm) {
  process.stderr.write('Run this with: npm test\n')
  process.exit(1)
}

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Shows the output of the first script of a stage right away, and that of the others once they have ended. */
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
