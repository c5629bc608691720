import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('backup')

const HOUR_MS = 60 * 60 * 1000
// The next one is due after 24 h and may take its time.
const ONE_NIGHT_MS = 26 * HOUR_MS
const TWO_NIGHTS_MS = 50 * HOUR_MS

/** How old the last good backup is, by the time it was begun. */
export function checkBackups(lastAt: Date | undefined, now: Date): Finding {
  if (!lastAt)
    return about.warning(
      'There is no backup yet.',
      'The server takes one each night, the first a minute after its start; `backup` takes one now.',
    )
  const age = now.getTime() - lastAt.getTime()
  const seen = `The last good backup is ${Math.floor(age / HOUR_MS)} hours old.`
  const advice =
    'Take one now (`backup`) and see what it says; the server logs why it took none ("backup failed").'
  if (age > TWO_NIGHTS_MS) return about.problem(seen, advice)
  if (age > ONE_NIGHT_MS) return about.warning(seen, advice)
  return about.ok(`${seen} Copy it to another machine, too.`)
}
