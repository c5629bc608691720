import '../check-business.ts'
import { resolveMx, resolveTxt } from 'node:dns/promises'
import { Command } from 'commander'
import { diagnose } from '../doctor/diagnose.ts'
import { ownMountInfo } from '../files/mount.ts'
import { formatFindings } from './format-findings.ts'
import { runCommand } from './run-command.ts'

const program = new Command('doctor')
  .description('Checks the installation and says what to do. Exit code 1 if there is a problem.')
  .option('--send', 'also send a test email to MAIL_TO and post a test alert to ALERT_URL')
  .option('--json', 'the findings as a JSON array')
  .action(async ({ json, send }: { json?: true; send?: true }) => {
    const findings = await diagnose({
      source: process.env,
      resolveTxt,
      resolveMx,
      mountInfo: ownMountInfo(),
      now: new Date(),
      isSending: send === true,
    })
    process.stdout.write(`${json ? JSON.stringify(findings, null, 2) : formatFindings(findings)}\n`)
    if (findings.some(({ state }) => state === 'problem')) process.exitCode = 1
  })

await runCommand(program)
