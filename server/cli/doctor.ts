import '../start/check-business.ts'
import dns from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { Command } from 'commander'
import { count } from '#shared/count.ts'
import type { Finding } from '../doctor/check.ts'
import { diagnose } from '../doctor/diagnose.ts'
import { askTime } from '../doctor/time.ts'
import { ownMountInfo } from '../files/mount.ts'
import { exitCodes, runCommand } from './run-command.ts'
import { print, printJson } from './terminal.ts'

const CHECK_WIDTH = 'sender domain'.length
const indent = ' '.repeat(11 + CHECK_WIDTH)

const program = new Command('doctor')
  .description('Check the installation and say what to fix. Exit code 1 if there is a problem.')
  .option('--send', 'also send a test email to MAIL_TO and a signed test to LEAD_WEBHOOK_URL')
  .option('--json', 'print the findings as a JSON array')
  .action(async ({ json, send }: { json?: true; send?: true }) => {
    const findings = await diagnose({
      source: process.env,
      dns,
      askTime,
      ownAddresses: Object.values(networkInterfaces()).flatMap((found = []) =>
        found.map(({ address }) => address),
      ),
      mountInfo: ownMountInfo(),
      now: new Date(),
      shouldSend: send === true,
      onFinding: (finding) => json || print(format(finding)),
    })
    const countOf = (state: Finding['state']) =>
      count(findings.filter((finding) => finding.state === state).length, state)
    if (json) printJson(findings)
    else print(`\n${countOf('problem')}, ${countOf('warning')}.`)
    if (findings.some(({ state }) => state === 'problem')) process.exitCode = exitCodes.failed
  })

const format = ({ check, state, seen, advice }: Finding) =>
  `${state.padEnd(7)}  ${check.padEnd(CHECK_WIDTH)}  ${seen}${advice && `\n${indent}${advice}`}`

await runCommand(program)
