import { randomUUIDv7 } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import compression from 'compression'
import express from 'express'
import { createTransport } from 'nodemailer'
import { serve } from './serve.ts'

type Settings = { dataDir: string; smtpUrl: string; pages?: string }

/** The common way to handle a form: store the lead, send the email, then respond. */
process.once('message', ({ dataDir, smtpUrl, pages }: Settings) => {
  const db = new Sqlite(join(dataDir, 'naive.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('create table if not exists leads (id text primary key, content text)')
  const insert = db.prepare('insert into leads values (?, ?)')
  const transport = createTransport(smtpUrl)
  const app = express().use(express.json())
  if (pages) app.use(compression(), express.static(pages))
  app.post('*all', async (request, response) => {
    insert.run(randomUUIDv7(), JSON.stringify(request.body))
    const { email, message } = request.body
    await transport.sendMail({
      from: 'site@example.com',
      to: 'owner@example.com',
      replyTo: email,
      text: message,
    })
    response.json({ success: true })
  })
  serve(app)
})
