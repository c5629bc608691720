import '../check-business.ts'
import { resolveMx, resolveTxt } from 'node:dns/promises'
import { Command } from 'commander'
import { findOneByOne } from '../doctor/diagnose.ts'
import type { Finding } from '../doctor/finding.ts'
import { ownMountInfo } from '../files/mount.ts'
import { countFindings, formatFinding } from './format-findings.ts'
import { print, printJson } from './print.ts'
import { exitCodes, runCommand } from './run-command.ts'

const program = new Command('doctor')
  .description('Check the installation and say what to fix. Exit code 1 if there is a problem.')
  .option('--send', 'also send a test email to MAIL_TO and a test alert to ALERT_URL')
  .option('--json', 'print the findings as a JSON array')
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
      if (!json) print(formatFinding(finding))
    }
    if (json) printJson(findings)
    else print(`\n${countFindings(findings)}`)
    if (findings.some(({ state }) => state === 'problem')) process.exitCode = exitCodes.failed
  })

await runCommand(program)
