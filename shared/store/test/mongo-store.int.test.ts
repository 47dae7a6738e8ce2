import { describeMongodb } from '@order-automation/testing';
import { storeConformance } from '../src/conformance';
import { mongoUnderTest } from './mongo';

describeMongodb('store', (uri) => storeConformance('MongoDB', () => mongoUnderTest(uri)));
