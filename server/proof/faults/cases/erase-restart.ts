import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { postRequest } from '../../testing/contact.ts'
import { nodeSettings } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'

const POSTS = 20
const PERSON = 'eve@example.com'

export const eraseRestart: FaultCase = {
  family: 'commands',
  fault:
    'the server restarts while `leads erase` waits for confirmation; leads arrive before and after the restart',
  expected:
    'only the leads shown before the confirmation are erased; no acknowledged lead is lost; the database is intact',
  needs: ['terminal'],
  isLong: true,
  async run() {
    await using harness = await openHarness()
    const first = await harness.start()
    await postRequest(first.url, { email: PERSON, message: 'Forget me' })
    await post(harness, first.url)
    const erase = askToErase(harness)
    await waitUntil('the command asks for confirmation', () => erase.output().includes('[y/N]'))
    await first.stop()
    const second = await harness.start()
    await post(harness, second.url)
    await postRequest(second.url, { email: PERSON, message: 'I am back' })
    const code = await erase.answer('y')
    expectThat(code === 0, `erase exited with ${code}: ${erase.output()}`)
    await post(harness, second.url)
    await second.stop()
    const seen = await harness.recoverAndVerify()
    const texts = (await harness.query((stored) => stored.leads())).map(({ message }) => message)
    expectThat(!texts.includes('Forget me'), 'the lead is still there')
    expectThat(texts.includes('I am back'), 'the newer lead is gone')
    return seen
  },
}

async function post(harness: Harness, url: string) {
  for (let count = 0; count < POSTS; count++) await harness.client.post(url)
}

/** Runs the command in a terminal, because it asks for confirmation only there. */
function askToErase(harness: Harness) {
  const command = `'${process.execPath}' server/cli/leads.ts erase ${PERSON}`
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { ...nodeSettings, ...harness.settings, PATH: process.env.PATH },
  })
  harness.watch({
    stop: async () => {
      child.kill('SIGKILL')
      return null
    },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  return {
    output: () => output,
    async answer(text: string): Promise<number | null> {
      const ended = once(child, 'close')
      child.stdin.write(`${text}\n`)
      const [code] = await ended
      return code
    },
  }
}
