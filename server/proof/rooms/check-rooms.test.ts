import { expect, test } from 'vitest'
import { findTrouble } from './check-rooms.ts'

const found = (sources: Record<string, string>) => findTrouble(new Map(Object.entries(sources)))

test('a room imports only from rooms above it in the list, and never from tests', () => {
  const imports = (file: string, specifier: string) =>
    found({ [file]: `import type { One } from '${specifier}'\n` })
  expect(imports('server/leads/lead-store.ts', '../database/schema.ts')).toEqual([])
  expect(imports('server/inbox/sign-in/codes.ts', './sessions.ts')).toEqual([])
  expect(imports('server/database/sqlite.ts', 'kysely')).toEqual([])
  for (const [file, specifier] of [
    ['server/leads/lead-store.ts', '../inbox/person.ts'],
    ['server/outbox/attempt.ts', '../mail/mailer.ts'],
    ['server/app/app.ts', '../proof/testing/leads.ts'],
    ['shared/time/office-hours.ts', '#brand/words/hours.ts'],
    ['client/src/inbox/ui/sheet.tsx', '../lead/note-sheet.tsx'],
    ['server/new-room/one.ts', '../database/schema.ts'],
  ] as const)
    expect(imports(file, specifier), file).toEqual([expect.stringContaining(`${file} must not import`)])
  const severalLines = "import {\n  one,\n} from '../inbox/person.ts'\n"
  expect(found({ 'server/leads/lead-store.ts': severalLines })).toHaveLength(1)
  expect(found({ 'server/leads/a.ts': "export * from '../inbox/person.ts'\n" })).toHaveLength(1)
})

test('no two files export the same name', () => {
  const sources = {
    'server/leads/one.ts': 'export type Reply = string\nexport const other = 1\n',
    'server/outbox/two.ts': 'export async function Reply() {}\nconst other = 1\n',
  }
  expect(found(sources)).toEqual(['Reply is exported by server/leads/one.ts and server/outbox/two.ts'])
  const texts = { 'client/brand/words/one.ts': 'export const title = 1\n', 'client/brand/words/two.ts': '' }
  texts['client/brand/words/two.ts'] = texts['client/brand/words/one.ts']
  expect(found(texts)).toEqual([])
})
