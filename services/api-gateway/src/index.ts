export { resetPassword } from './auth/reset-password';
export * from './collections/application-passwords';
export * from './collections/login-attempts';
export * from './collections/saved-filters';
export * from './collections/sessions';
export * from './collections/users';
export { type ApiGatewayConfig, apiGatewayConfiguration } from './config';
export type { Licence } from './licence';
export { type ApiGateway, startApiGateway } from './service';
