export { type Sealer, sealer } from '@order-automation/service';
