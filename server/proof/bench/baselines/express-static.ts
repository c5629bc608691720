import compression from 'compression'
import express from 'express'
import { serve } from './serve.ts'

/** What most would write: files from a folder, compressed on the way. */
process.once('message', ({ folder }: { folder: string }) => {
  serve(express().use(compression(), express.static(folder)))
})
