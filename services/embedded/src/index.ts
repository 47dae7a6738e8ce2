export { embeddedConfig, embeddedConfiguration } from './config';
export { type Embedded, startEmbedded } from './embedded';
