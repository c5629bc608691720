import { randomUUIDv7 } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import express from 'express'
import { createTransport } from 'nodemailer'
import { serve } from './baseline.ts'

/** The common way to handle a form: store the lead, send the email, then respond. */
process.once('message', ({ dataDir, smtpUrl }: { dataDir: string; smtpUrl: string }) => {
  const db = new Sqlite(join(dataDir, 'naive.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('create table if not exists leads (id text primary key, content text)')
  const insert = db.prepare('insert into leads values (?, ?)')
  const transport = createTransport(smtpUrl)
  const app = express().use(express.json())
  app.post('*all', async (request, response) => {
    insert.run(randomUUIDv7(), JSON.stringify(request.body))
    const { email: replyTo, message: text } = request.body
    await transport.sendMail({ from: 'site@example.com', to: 'owner@example.com', replyTo, text })
    response.json({ success: true })
  })
  serve(app)
})
