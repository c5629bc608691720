import { expect, test } from '@playwright/test'
import { formatTable } from './table.ts'
import type { Outcome } from './walk.ts'

test('the table says why a step failed or was not possible, and which steps were never reached', () => {
  const columns = [
    { heading: 'Firefox 360', outcomes: new Map<string, Outcome>([['page', { verdict: 'ok' }]]) },
    {
      heading: 'WebKitGTK 360',
      outcomes: new Map<string, Outcome>([
        ['page', { verdict: 'failed', why: 'too wide' }],
        ['offline', { verdict: 'not possible here', why: 'no command' }],
      ]),
    },
  ]

  expect(formatTable(['page', 'offline'], columns).split('\n')).toEqual([
    '         Firefox 360  WebKitGTK 360',
    'page     ok           failed [1]',
    'offline  failed [2]   not possible here [3]',
    '[1] too wide',
    '[2] never reached',
    '[3] no command',
  ])
})
