import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { addExport } from './commands/export.ts'
import { addList } from './commands/list.ts'
import { npmHint } from './npm-hint.ts'

const program = new Command('leads')
for (const add of [addList, addExport]) add(program)

/** The hint for `npm run leads` with these words and npm variables. */
const hint = (words: string[], config: Record<string, string>) =>
  npmHint(program, words, { npm_lifecycle_event: 'leads', ...config })

test.each([
  [['list', '7d'], { npm_config_since: 'true' }, 'list --since'],
  [['list'], { npm_config_since: '7d' }, 'list --since'],
  [['list'], { npm_config_search: '' }, 'list --search'],
  [['export', 'a.csv'], { npm_config_o: 'true' }, 'export --output'],
  // npm reads -n as --no-yes.
  [['list', '50'], { npm_config_yes: '' }, 'list --limit'],
  [['list', 'roof', '2'], { npm_config_yes: '' }, 'list --limit'],
])('for the arguments %j and the npm variables %j, the hint suggests %s', (words, config, expected) => {
  expect(hint(words, config)).toBe(
    `npm took ${expected.split(' ')[1]} for itself. Add -- like this: npm run leads -- ${expected} ...`,
  )
})

test.each([
  [['list', '50'], {}],
  [['list', '5550177'], { npm_config_yes: '' }],
  [['list', 'roof'], { npm_config_yes: '' }],
  [['list', '-n', '50'], { npm_config_yes: '' }],
  [['list', '--search', '50'], { npm_config_yes: '' }],
  [['list'], { npm_config_json: 'true' }],
  [['list'], { npm_config_since: '7d', npm_lifecycle_event: 'test' }],
])('for the arguments %j and the npm variables %j, there is no hint', (words, config) => {
  expect(hint(words, config)).toBeUndefined()
})

test('under npm, `doctor --send` without -- prints a hint and sends nothing', async () => {
  using folder = newDataDir()
  const env = { DATA_DIR: folder.path, npm_lifecycle_event: 'doctor', npm_config_send: 'true' }

  const done = promisify(execFile)(process.execPath, ['server/cli/doctor.ts'], { env })

  await expect(done).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'npm took --send for itself. Add -- like this: npm run doctor -- --send ...\n',
  })
})
