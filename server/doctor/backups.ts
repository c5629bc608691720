import { backupAge } from '../backup/backup-age.ts'
import type { BackupRisk, NewestBackup } from '../backup/newest-backup.ts'
import { count } from '../count.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('backup')
const aboutOffsite = findingsAbout('offsite backup')

const HOUR_MS = 60 * 60 * 1000

/** Checks the age and the risks of the newest backup, and the age of the newest offsite backup. */
export function checkBackups({ at, risks, offsite }: NewestBackup, now: Date, everyHours: number): Finding[] {
  const checkAge = (name: string, advice: string, takenAt: Date, { ok, warning, problem } = about) => {
    const age = backupAge(takenAt, now, everyHours)
    const hours = Math.floor((now.getTime() - takenAt.getTime()) / HOUR_MS)
    const sentence = `${name} is ${hours < 1 ? 'less than 1 hour' : count(hours, 'hour')} old.`
    if (age === 'fresh') return ok(sentence)
    return age === 'late' ? warning(sentence, advice) : problem(sentence, advice)
  }
  const findings = at
    ? [checkAge('The last good backup', backupAdvice, at), ...risks.map((risk) => describeRisk(risk, at))]
    : [noBackup]
  if (offsite?.at)
    findings.push(checkAge('The newest offsite backup', offsiteAdvice, offsite.at, aboutOffsite))
  else if (offsite) findings.push(aboutOffsite.warning('There is no offsite backup yet.', offsiteAdvice))
  return findings
}

const noBackup = about.warning(
  'There is no backup yet.',
  'The server takes the first backup one minute after it starts. To take one now, run `backup`.',
)
const backupAdvice = 'Run `backup` and read its output. Look for "backup failed" in the server log.'
const offsiteAdvice =
  'To see why: docker compose logs offsite. If you no longer use the offsite profile: docker compose run --rm offsite rm /offsite/offsite.json'

function describeRisk(risk: BackupRisk, at: Date): Finding {
  const backup = `The backup of ${at.toISOString().slice(0, 16)}Z`
  if (risk === 'same disk')
    return about.warning(
      `${backup} is on the same disk as the leads. If that disk fails, both are lost.`,
      'Set BACKUP_DIR to a folder on another disk, or use the offsite profile (see server/operations.md).',
    )
  if (risk === 'gone')
    return about.problem(
      `${backup} is gone. It was stored on this machine, not on a volume.`,
      'Mount a volume at BACKUP_DIR, then run `backup`.',
    )
  return about.warning(
    `${backup} is on a temporary disk: the next restart may delete it.`,
    'Mount a volume at BACKUP_DIR, or use the offsite profile (see server/operations.md).',
  )
}
