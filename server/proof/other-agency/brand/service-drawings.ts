import type { ServiceId } from './words/services.ts'

type Path = readonly [style: 'axis' | 'line' | 'strong' | 'faint' | 'fill', d: string]

/** A drawing for each service, in a box of 280 by 150 units. */
export const serviceDrawings: Record<ServiceId, readonly Path[]> = {
  shops: [
    ['strong', 'M80 60h120v70H80z'],
    ['line', 'M80 60l12-30h96l12 30'],
  ],
  bookings: [
    ['strong', 'M90 30h100v100H90z'],
    ['faint', 'M90 55h100M90 80h100M90 105h100'],
  ],
  upkeep: [['line', 'M140 30v90M110 120h60']],
}
