import { type ContactRequest, contactFieldNames, contactFields } from '#shared/contact-request.ts'
import type { LeadFields } from '../database/schema.ts'

const columns = contactFieldNames.map((field) => [field, contactFields[field].column] as const)

/** What a visitor sent, as columns of the table `leads`. */
export const toColumns = (request: ContactRequest) =>
  Object.fromEntries(columns.map(([field, column]) => [column, request[field]])) as LeadFields

/** What a visitor sent, from the columns of the table `leads`. */
export const fromColumns = (row: LeadFields) =>
  Object.fromEntries(columns.map(([field, column]) => [field, row[column]])) as ContactRequest
