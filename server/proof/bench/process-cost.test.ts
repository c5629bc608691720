import { expect, test } from 'vitest'
import { parseCalls, parseCpuMs, parseWrittenBytes } from './process-cost.ts'

test('the number of written bytes includes writes that were cancelled later', () => {
  const io =
    'rchar: 10\nwchar: 20\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 8192\ncancelled_write_bytes: 4096\n'

  expect(parseWrittenBytes(io)).toBe(8192)
})

test('an empty file results in NaN, so that the figure misses its target', () => {
  expect(parseWrittenBytes('')).toBeNaN()
  expect(parseCpuMs('')).toBeNaN()
})

test.each(['node', 'next-server (v16)', 'a) b ('])(
  'the CPU time of the process "%s" is user plus system time',
  (name) => {
    const stat = `123 (${name}) S 1 123 123 0 -1 4194560 9000 0 5 0 250 30 7 8 20 0 11 0 1000 2000 3000`

    expect(parseCpuMs(stat)).toBe(2_800)
  },
)

test("the calls in strace's table are added up, including those in rows without an error count", () => {
  const summary = `% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 98.76    1.234567         123      1000         2 fsync
  1.24    0.001234          12        30           fdatasync
  0.00    0.000000           0         5           write
------ ----------- ----------- --------- --------- ----------------
100.00    1.235801         119      1035         2 total
`

  expect(parseCalls(summary, ['fsync', 'fdatasync'])).toBe(1_030)
})

test('the number of calls in an empty table is zero', () => {
  expect(parseCalls('', ['fsync'])).toBe(0)
})
