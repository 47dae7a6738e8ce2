export { allVariables } from './config';
export { type Embedded, startEmbedded } from './embedded';
