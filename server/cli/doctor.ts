import '../check-business.ts'
import { resolveMx, resolveTxt } from 'node:dns/promises'
import { Command } from 'commander'
import { findOneByOne } from '../doctor/diagnose.ts'
import type { Finding } from '../doctor/finding.ts'
import { ownMountInfo } from '../files/mount.ts'
import { countFindings, formatFinding } from './format-findings.ts'
import { runCommand } from './run-command.ts'

const program = new Command('doctor')
  .description('Checks the installation and says what to do. Exit code 1 if there is a problem.')
  .option('--send', 'also send a test email to MAIL_TO and post a test alert to ALERT_URL')
  .option('--json', 'the findings as a JSON array')
  .action(async ({ json, send }: { json?: true; send?: true }) => {
    const found = findOneByOne({
      source: process.env,
      resolveTxt,
      resolveMx,
      mountInfo: ownMountInfo(),
      now: new Date(),
      isSending: send === true,
    })
    const findings: Finding[] = []
    for await (const finding of found) {
      findings.push(finding)
      if (!json) process.stdout.write(`${formatFinding(finding)}\n`)
    }
    process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : `\n${countFindings(findings)}\n`)
    if (findings.some(({ state }) => state === 'problem')) process.exitCode = 1
  })

await runCommand(program)
