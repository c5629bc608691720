import type { RequestListener } from 'node:http'
import request from 'supertest'
import { contactPath } from '#shared/contact-request.ts'
import { sampleRequest } from './sample-request.ts'

/** Posts JSON to the contact endpoint of an app. */
export const postContact = (
  app: RequestListener,
  body: object | string = sampleRequest(),
  headers: Record<string, string> = {},
) => request(app).post(contactPath).set('Content-Type', 'application/json').set(headers).send(body)

/** Posts the form as a browser without JavaScript does. */
export const postForm = (app: RequestListener, fields: object | string) =>
  request(app).post(contactPath).type('form').send(fields)
