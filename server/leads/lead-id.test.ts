import { expect, test } from 'vitest'
import { readLeads } from '../inbox/export-leads.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { storeLeads } from '../proof/testing/leads.ts'
import { createLeadId } from './lead-id.ts'
import { readFigures } from './lists/figures.ts'
import { listLeads } from './lists/lists.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const now = new Date('2026-03-15T15:00:00.000Z')
const at = (offsetMs: number) => new Date(now.getTime() + offsetMs)

const site = useTestApp()

test('ids are in the order of their times, even after the clock was set back, and then in that of arrival', () => {
  const ids = [at(0), at(0), at(0), at(DAY_MS), at(-1)].map(createLeadId)

  expect(ids.toSorted()).toEqual([4, 0, 1, 2, 3].map((index) => ids[index]))
})

// A clock that was set back left the ids of a process in the future until it ended. A replica's
// clock may have been slow.
test.each([0, -23 * 60 * 60 * 1000, 23 * 60 * 60 * 1000, 400 * DAY_MS])(
  'a lead whose id is %i ms ahead of its time is found by when it came',
  async (aheadMs) => {
    const since = at(-3 * DAY_MS)
    const leads = [-1, 0].map((ms) => new Date(since.getTime() + ms))
    await storeLeads(
      site.db,
      ...leads.map((createdAt) => ({
        id: createLeadId(new Date(createdAt.getTime() + aheadMs)),
        created_at: createdAt.toISOString(),
      })),
    )

    const page = await listLeads(site.db, { view: 'all', after: undefined, now })
    const exported: string[] = []
    for await (const lead of readLeads(site.db, { since })) exported.push(lead.created_at)
    const { weeks } = await readFigures(site.db, now)

    expect(page.leads).toHaveLength(2)
    expect(exported).toEqual([since.toISOString()])
    expect(weeks.at(-1)?.leads).toBe(2)
  },
)
