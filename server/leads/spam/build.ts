import { countSamples } from './count-samples.ts'
import { readCorpus } from './read-corpus.ts'
import { writeSamples } from './samples-file.ts'

writeSamples(countSamples([...readCorpus(''), ...readCorpus('final-')]))
