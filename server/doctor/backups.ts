import { backupAge } from '../backup/backup-age.ts'
import type { BackupRisk, NewestBackup } from '../backup/newest-backup.ts'
import { count } from '../count.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('backup')
const aboutOffsite = findingsAbout('offsite backup')

const HOUR_MS = 60 * 60 * 1000

/** How old the newest backup is, by the time it was begun, what could take it away, and whether backups are sent elsewhere. */
export function checkBackups({ at, risks, offsite }: NewestBackup, now: Date, everyHours: number): Finding[] {
  const judge = (seen: string, advice: string, of: Date, { ok, warning, problem } = about): Finding => {
    const age = backupAge(of, now, everyHours)
    const sentence = `${seen} is ${count(Math.floor((now.getTime() - of.getTime()) / HOUR_MS), 'hour')} old.`
    if (age === 'fresh') return ok(sentence)
    return age === 'late' ? warning(sentence, advice) : problem(sentence, advice)
  }
  const taken = at ? judge('The last good backup', takeAdvice, at) : noBackup
  const risky = at ? risks.map((risk) => describeRisk(risk, at)) : []
  if (!offsite) return [taken, ...risky]
  const sent = offsite.at
    ? judge('The newest backup sent elsewhere', offsiteAdvice, offsite.at, aboutOffsite)
    : aboutOffsite.warning('No backup has been sent elsewhere yet.', offsiteAdvice)
  return [taken, ...risky, sent]
}

const noBackup = about.warning(
  'There is no backup yet.',
  'The server takes the first one a minute after it starts; `backup` takes one now.',
)
const takeAdvice =
  'Take one now (`backup`) and see what it says. Look for "backup failed" in the log of the server.'
const offsiteAdvice =
  '`docker compose logs offsite` says why. If you no longer use the offsite profile: docker compose run --rm offsite rm /offsite/offsite.json'

function describeRisk(risk: BackupRisk, at: Date): Finding {
  const backup = `The backup of ${at.toISOString().slice(0, 16)}Z`
  if (risk === 'same disk')
    return about.warning(
      `${backup} is on the same disk as the leads: if that disk dies, both are gone.`,
      'Set BACKUP_DIR to a folder on another disk, or use the offsite profile: see server/operations.md.',
    )
  if (risk === 'gone')
    return about.problem(
      `${backup} is gone: its file was on this machine.`,
      'Mount a volume at BACKUP_DIR, then take one now (`backup`).',
    )
  return about.warning(
    `${backup} is on a disk that does not last.`,
    'Mount a volume at BACKUP_DIR, or use the offsite profile: see server/operations.md.',
  )
}
