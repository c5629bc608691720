import { afterEach, beforeEach, expect, test } from 'vitest'
import { officeTime } from '../../leads/office-time.ts'
import { buildTestApp } from '../../proof/testing/build-test-app.ts'
import { openReads } from '../../proof/testing/open-reads.ts'
import { testOnce } from '../../proof/testing/open-test-database.ts'
import { readXlsx } from '../../proof/testing/read-xlsx.ts'
import { storeLead } from '../../proof/testing/store-lead.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
let inbox: Awaited<ReturnType<typeof openReads>>
beforeEach(async () => {
  site = await buildTestApp()
  inbox = await openReads(site)
})
afterEach(async () => {
  await inbox[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

const download = (format: string, signal?: AbortSignal) =>
  fetch(`${inbox.url}/export?format=${format}`, { ...(signal && { signal }) })

/** Stores so many leads, in one commit, that their export exceeds the buffers between the server and the client. */
const storeMany = () =>
  site.db.transaction().execute(async (transaction) => {
    const { id: _, reference: __, ...lead } = await storeLead(transaction, { message: 'x'.repeat(5000) })
    for (let hundred = 0; hundred < 20; hundred++)
      await transaction
        .insertInto('leads')
        .values(
          Array.from({ length: 100 }, (_, one) => ({
            ...lead,
            id: `${hundred} ${one}`,
            reference: `${hundred} ${one}`,
          })),
        )
        .execute()
  })

test('the Excel and JSON downloads contain all leads', async () => {
  await storeLead(site.db, { reference: 'Q-7K3M-9QXD' })

  const xlsx = await download('xlsx')
  expect(xlsx.headers.get('content-disposition')).toBe('attachment; filename="leads-2026-03-02.xlsx"')
  expect(xlsx.headers.get('content-type')).toMatch('spreadsheetml.sheet')
  const rows = readXlsx(Buffer.from(await xlsx.arrayBuffer()))
  expect(rows.map((row) => row.slice(0, 2))).toEqual([
    [expect.stringMatching(/^Received /), 'Reference'],
    [officeTime('2026-03-02T14:00Z'), 'Q-7K3M-9QXD'],
  ])
  const json = await download('json')
  expect(json.headers.get('content-disposition')).toBe('attachment; filename="leads-2026-03-02.json"')
  expect(await json.json()).toMatchObject([{ reference: 'Q-7K3M-9QXD', emails: [] }])
})

testOnce('an export ends when its client disconnects', async () => {
  await storeMany()
  const leave = new AbortController()
  const { status } = await download('json', leave.signal)

  leave.abort()

  await expect.poll(() => inbox.logLines.join('')).toContain('an export ended early')
  expect(status).toBe(200)
})

testOnce('if the database cannot be read, the client gets an error response instead of a file', async () => {
  await site.db.schema.alterTable('leads').renameTo('gone').execute()

  const { status, headers } = await download('xlsx')

  expect([status, headers.get('content-disposition')]).toEqual([500, null])
})
