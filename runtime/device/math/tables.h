// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written by make-tables.py; change that instead.

#ifndef VX_DEVICE_MATH_TABLES_H
#define VX_DEVICE_MATH_TABLES_H

/// x times the logarithm of Stirling's correction; u = 64 / x^2
static const double kStirling[] = {
    -0x1.6f61c2b307386p-55, 0x1.48d057520ace7p-51, -0x1.ded79e491daf8p-48, 0x1.a3e072c66b786p-44,
    -0x1.f6a981e93c2e2p-40, 0x1.b951df711a650p-35, -0x1.3813813619625p-29, 0x1.a01a01a01964bp-23,
    -0x1.6c16c16c16c16p-15, 0x1.5555555555555p-4,
};

/// (1 + 2x) erfcx(x), x >= 0; t = (x - 2) / (x + 2)
static const double kErfcx[] = {
    -0x1.1eec69c54087ap-35, -0x1.2582d39ce5a74p-31, -0x1.76610038488e5p-31, 0x1.0c9b9ae6be121p-28,
    0x1.22c9576ac6d30p-27, -0x1.16eab5254eb78p-27, -0x1.4096811b624ecp-25, -0x1.5765a59e8046fp-26,
    0x1.1aded51ecb03cp-24, 0x1.3c6571486cfedp-23, 0x1.902e3d651a0fep-24, -0x1.09de701ed810cp-22,
    -0x1.acc56531bd695p-21, -0x1.7b99848bf427ap-21, 0x1.8e2dd6f4d8a3ap-20, 0x1.5ef986b8d20c6p-18,
    0x1.f326a3ca95a52p-19, -0x1.c4d0aa35c1cf4p-17, -0x1.318f677d5bccdp-15, -0x1.952db8816d84bp-20,
    0x1.3cc0c37a43e5ep-13, 0x1.b0c885dd1bdddp-13, -0x1.dc69338017afcp-12, -0x1.7de520f750bc6p-10,
    0x1.4d461d2e7ba21p-10, 0x1.1dd2ec90a1130p-7, -0x1.074234047f570p-7, -0x1.bc2b956198a13p-5,
    0x1.4ffa1e14e2785p-3, -0x1.5407bebf32444p-3, -0x1.7bf5ec1700631p-4, 0x1.46e80e2277953p+0,
};

/// erfinv(x) / x for |x| <= 3/4; t = 32/9 x^2 - 1
static const double kErfinv[] = {
    0x1.b9f6ec0fcb021p-40, 0x1.2623ec718ce1dp-38, 0x1.087ab1402c2a1p-40, 0x1.6e3b1a0cd962bp-39,
    0x1.41b5f962850afp-35, 0x1.b0447e720d797p-34, 0x1.da452eaadc1e1p-33, 0x1.416282614859bp-31,
    0x1.c39b66318c24bp-30, 0x1.33f75e3a56444p-28, 0x1.a474e094be1fbp-27, 0x1.2152e5459fd03p-25,
    0x1.906f8a6df460fp-24, 0x1.16cd303c69db2p-22, 0x1.8719a11738d2ap-21, 0x1.14baee20ab58dp-19,
    0x1.8bc3de90196c7p-18, 0x1.1eb191df7ff07p-16, 0x1.a6310199b613cp-15, 0x1.3d7fff5b29b15p-13,
    0x1.eb4f2f93f39cbp-12, 0x1.8bc3c9b263c64p-10, 0x1.5304c36fbe3fdp-8, 0x1.429eb204f8833p-6,
    0x1.7ed81a6bcf2d3p-4, 0x1.ed943e7c761e6p-1,
};

/// J0 on [0, 2]; u = x^2
static const double kJ0[] = {
    -0x1.5b039886dc63dp-73, 0x1.55b476e9c5a7bp-64, -0x1.0b304adf2b4b1p-55, 0x1.522a4081eaabap-47,
    -0x1.522a43ed9d02fp-39, 0x1.02e85c088a09cp-31, -0x1.23456789abad6p-24, 0x1.c71c71c71c717p-18,
    -0x1.c71c71c71c71cp-12, 0x1.0000000000000p-6, -0x1.0000000000000p-2, 0x1.0000000000000p+0,
};

#define J0_ZERO1_HI 0x1.33d152e971b40p+1
#define J0_ZERO1_LO -0x1.0f539d7da258ep-53
/// J0(x) / (x - 2.40483) on [1.5, 4]
static const double kJ0Piece1[] = {
    0x1.cf67d3c85f2afp-56, -0x1.c338cce1872cap-52, -0x1.d299ebf64045cp-48, 0x1.f72986b3f40d9p-44,
    0x1.cd40f94432a47p-40, -0x1.bdc48bf8c8265p-36, -0x1.5c2c36b70c3f5p-32, 0x1.2951bd5918132p-28,
    0x1.7ff991638e695p-25, -0x1.1cce302828731p-21, -0x1.232c77d2261fdp-18, 0x1.6ed3b9f07eb0dp-15,
    0x1.15382ba06cc27p-12, -0x1.1f992590d12bcp-9, -0x1.1bb1cbe1a4072p-7, 0x1.cfae864368d70p-5,
    0x1.ba1deea029495p-4, -0x1.09cdb36551280p-1,
};

#define J0_ZERO2_HI 0x1.6148f5b2c2e45p+2
#define J0_ZERO2_LO 0x1.75054cd60a517p-54
/// J0(x) / (x - 5.52008) on [4, 7]
static const double kJ0Piece2[] = {
    -0x1.4d99c9cc03fc6p-60, -0x1.3c0c01f960d51p-56, 0x1.de732eb0031b3p-52, 0x1.90f415a1f8739p-48,
    -0x1.1047aaaf99a1dp-43, -0x1.8498a21851cb7p-40, 0x1.e2f339a0a5c06p-36, 0x1.1d04335190377p-32,
    -0x1.41d72d950396ep-28, -0x1.2da37e3754700p-25, 0x1.32e6d99c6d3a3p-21, 0x1.ad77d7489e805p-19,
    -0x1.863f481a43074p-15, -0x1.6f641f41956d4p-13, 0x1.27e31fe9a9779p-9, 0x1.2f7ffe90256bap-8,
    -0x1.b2150cb41e8c1p-5, -0x1.f8f72e7a848dep-6, 0x1.5c6e60a097823p-2,
};

#define J0_ZERO3_HI 0x1.14eb56cccdecap+3
#define J0_ZERO3_LO -0x1.51970714c7c25p-52
/// J0(x) / (x - 8.65373) on [7, 8]
static const double kJ0Piece3[] = {
    0x1.224b6aa348937p-43, 0x1.11d3ec74e2404p-40, -0x1.032edd5d374bbp-35, -0x1.d7ad233f12843p-33,
    0x1.44672909605f4p-28, 0x1.ce4c8ead6407cp-26, -0x1.30ef6d2d2d600p-21, -0x1.332667c458f26p-19,
    0x1.7800a1f952ed9p-15, 0x1.d795fc68bb5aep-14, -0x1.0e0d605b18f9ap-9, -0x1.48e6360d5bfb8p-9,
    0x1.68b984ec3328dp-5, 0x1.00f7fcf174ed5p-6, -0x1.15f7977a773dfp-2,
};

/// J1(x) / x on [0, 2]; u = x^2
static const double kJ1[] = {
    -0x1.d02cd8e6f774bp-78, 0x1.f1178f4fa97b6p-69, -0x1.ab80ccb97a525p-60, 0x1.2c9756b977dcbp-51,
    -0x1.522a43f0f40a4p-43, 0x1.27e4fb7780e80p-35, -0x1.845c8a0ce4fe8p-28, 0x1.6c16c16c16c15p-21,
    -0x1.c71c71c71c71cp-15, 0x1.5555555555555p-9, -0x1.0000000000000p-4, 0x1.0000000000000p-1,
};

#define J1_ZERO1_HI 0x1.ea75575af6f09p+1
#define J1_ZERO1_LO -0x1.60155a9d1b256p-53
/// J1(x) / (x - 3.83171) on [2, 5.5]
static const double kJ1Piece1[] = {
    -0x1.4413d230a1876p-65, 0x1.5309a327e3cc2p-60, 0x1.20c095cddb1aap-56, -0x1.ee3e454b0212ap-52,
    -0x1.67c477d2475f8p-48, 0x1.17a39ecc12ccfp-43, 0x1.5ec83a3e2d589p-40, -0x1.ec622f4bc51bep-36,
    -0x1.03b9e940e12d6p-32, 0x1.4569b228c3517p-28, 0x1.1706923399dfbp-25, -0x1.33825cd2df472p-21,
    -0x1.9799d4c9f188ep-19, 0x1.83a06e30c40a4p-15, 0x1.6e4c2d5354214p-13, -0x1.24b3409959063p-9,
    -0x1.537544c331da8p-8, 0x1.b589d1da13904p-5, 0x1.ae8a39f51ad06p-5, -0x1.9c6cf582cbf7fp-2,
};

#define J1_ZERO2_HI 0x1.c0ff5f3b47250p+2
#define J1_ZERO2_LO -0x1.b226d9d243827p-54
/// J1(x) / (x - 7.01559) on [5.5, 8]
static const double kJ1Piece2[] = {
    -0x1.8552ecfe474aep-60, -0x1.104eb3404fc78p-56, 0x1.f03cbc49b0f44p-52, 0x1.4aef659320a2cp-48,
    -0x1.183f202737112p-43, -0x1.3bb6a0a5dc601p-40, 0x1.ecae92f3cc990p-36, 0x1.c62ccb76e37d0p-33,
    -0x1.44639d7e9900bp-28, -0x1.d48dcdaec2e6dp-26, 0x1.3026e0ce97288p-21, 0x1.4255b015ae0a7p-19,
    -0x1.796a751f89046p-15, -0x1.07358bbdbff93p-13, 0x1.13fbc7d698217p-9, 0x1.9a4b292e3de44p-9,
    -0x1.80c83bdeee5b0p-5, -0x1.5e70dc60362c2p-6, 0x1.33518b3874e8ap-2,
};

#define Y0_ZERO0_HI 0x1.c982eb8d417eap-1
#define Y0_ZERO0_LO 0x1.ea9d270347f83p-56
/// (Y0(x) - 2/pi ln(x/z) J0(x)) / (x^2 - z^2) on [0, 2]; u = x^2
static const double kY0[] = {
    -0x1.487a52d9cf2b0p-81, 0x1.754df7a6482c3p-72, -0x1.5724d1137628ap-63, 0x1.037f93e1b18bep-54,
    -0x1.3c55dbff03652p-46, 0x1.2eb3f46ce0d67p-38, -0x1.b797036d6f84ap-31, 0x1.cf0413da6a193p-24,
    -0x1.4c030d99a8676p-17, 0x1.268a9aaaeb0c7p-11, -0x1.12583f4a4abcfp-6, 0x1.750811790a13cp-3,
};

#define Y0_ZERO1_HI 0x1.fa9534d98569cp+1
#define Y0_ZERO1_LO -0x1.f06ae7804384ep-54
/// Y0(x) / (x - 3.95768) on [2, 5.5]
static const double kY0Piece1[] = {
    -0x1.7940ac382c09cp-61, -0x1.972999ea94dcbp-60, 0x1.321afa27550d5p-57, 0x1.0582b33f4bdcfp-55,
    -0x1.168dbbbdc13e7p-54, -0x1.9941684acc5aep-53, 0x1.f95dcb78dc4ddp-55, 0x1.9c983268115d3p-50,
    -0x1.508eeff341203p-49, 0x1.9841fd74ff6a1p-48, -0x1.3ad42030d51b5p-45, 0x1.548e2c7d03c68p-43,
    -0x1.54d6afaedc354p-41, 0x1.6315636e2491bp-39, -0x1.75438dbf9920bp-37, 0x1.88c134532ecf2p-35,
    -0x1.994d2a0bdf53cp-33, 0x1.a5a11b507c066p-31, -0x1.f693975b27fc6p-29, 0x1.452ea35b8275fp-26,
    -0x1.77705794eea88p-26, -0x1.3b2168519cddep-22, -0x1.486371e6e3bd5p-18, 0x1.ab2c1fece39f6p-15,
    0x1.99827651666efp-13, -0x1.1e32bc4ef8a6cp-9, -0x1.c116fdc59809ap-8, 0x1.df6d59bf50ebdp-5,
    0x1.a09c9290367f0p-5, -0x1.9c34256a12a0cp-2,
};

#define Y0_ZERO2_HI 0x1.c581dc4e72103p+2
#define Y0_ZERO2_LO -0x1.9774a495f56cfp-54
/// Y0(x) / (x - 7.08605) on [5.5, 8]
static const double kY0Piece2[] = {
    0x1.5d53074b9c5c9p-58, -0x1.a6d344c19ffa5p-56, 0x1.38ae3f340c533p-51, 0x1.31439b72fc534p-48,
    -0x1.0687f90fddef0p-43, -0x1.7149ccd0b2972p-40, 0x1.f14e8a9adbbafp-36, 0x1.fa6c4e79e22f6p-33,
    -0x1.442a3d5f6c293p-28, -0x1.0a2814d7a0cd1p-25, 0x1.34aa757416363p-21, 0x1.6a92273530aecp-19,
    -0x1.8177e4fe52581p-15, -0x1.26dd71e391ca2p-13, 0x1.1d35e85fde2a4p-9, 0x1.b2f14a95527cdp-9,
    -0x1.8969c64cbf452p-5, -0x1.5aef611fc4d5ap-6, 0x1.334cca0697a5bp-2,
};

/// (Y1(x) - 2/pi (ln(x) J1(x) - 1/x)) / x on [0, 1.25]; u = x^2
static const double kY1[] = {
    -0x1.e139d73d8336dp-68, 0x1.977c9fb707bdep-59, -0x1.14749e2b08e0fp-50, 0x1.2a4e1ad5ca51bp-42,
    -0x1.f0ce34d1e42b8p-35, 0x1.32e5a4ddee90ap-27, -0x1.0a780ac776eabp-20, 0x1.2c7dbffcde97dp-14,
    -0x1.835b97894be5bp-9, 0x1.bd3975c75b4a7p-5, -0x1.91866143cbc8ap-3,
};

#define Y1_ZERO1_HI 0x1.193bed4dff243p+1
#define Y1_ZERO1_LO -0x1.bd1e50d219bfdp-55
/// Y1(x) / (x - 2.19714) on [1.25, 3.75]
static const double kY1Piece1[] = {
    -0x1.960065d10382fp-44, 0x1.3d09a4ffbd14bp-40, -0x1.a04c4cf16d584p-38, 0x1.2022100051578p-36,
    -0x1.a506015a7c382p-36, 0x1.31d46f766e832p-36, -0x1.1bd7b6af57ea2p-35, 0x1.66119124f8171p-33,
    -0x1.f39c8f12a240cp-32, 0x1.eaa04c091e21ap-31, -0x1.dc685b358f0b1p-30, 0x1.074be7a765498p-28,
    -0x1.2af12042e2e69p-27, 0x1.49c2e9f7bac06p-26, -0x1.681b4cd5e2597p-25, 0x1.8abe99b7f15d6p-24,
    -0x1.b18deeeec11e5p-23, 0x1.dbf1ed146b582p-22, -0x1.051e7910c536ep-20, 0x1.1e73f1ea6c32bp-19,
    -0x1.3a27d1f948901p-18, 0x1.5865d319c14e0p-17, -0x1.7956af1f1ee60p-16, 0x1.9d174c990292ep-15,
    -0x1.c3fae39e841e4p-14, 0x1.eea7bbb8a72a2p-13, -0x1.0b2d877d90bc3p-11, 0x1.17ab4afac23ddp-10,
    -0x1.5429dc5a44a80p-9, 0x1.e671c7d11969bp-8, -0x1.3a6dec37290cep-8, -0x1.0d2af4e932386p-5,
    -0x1.e56f82217b8f2p-4, 0x1.0aa48442f014bp-1,
};

#define Y1_ZERO2_HI 0x1.5b7fe4e87b02ep+2
#define Y1_ZERO2_LO 0x1.dfe7bac228e8cp-52
/// Y1(x) / (x - 5.42968) on [3.75, 7]
static const double kY1Piece2[] = {
    -0x1.60fa1b65a2248p-61, 0x1.6a670ad81229ep-59, -0x1.3efa2212eb0dap-58, 0x1.3eec74c9beb5ep-55,
    -0x1.1bf55b4e7e11ap-52, 0x1.6c4af918dc4bep-50, -0x1.da8e28fccc445p-48, 0x1.3f7d65131e677p-45,
    -0x1.c05702704cd51p-43, 0x1.4989d8a6bfae3p-40, -0x1.3844531ea696dp-38, 0x1.40609ae6ee195p-39,
    -0x1.a7ee10e2dd029p-32, 0x1.80b1ab39fdbe4p-28, 0x1.b62cd03a82337p-26, -0x1.255e6cf77efd7p-21,
    -0x1.80619147ca90bp-19, 0x1.85b940eb60fe0p-15, 0x1.337c7e138f573p-13, -0x1.1be6db9923ad5p-9,
    -0x1.10a329e2c23f7p-8, 0x1.a15d92dfe3e27p-5, 0x1.00b9f8571ca19p-5, -0x1.5c7c556f0c19ap-2,
};

#define Y1_ZERO3_HI 0x1.13127ae6169b4p+3
#define Y1_ZERO3_LO 0x1.479cc068d9046p-52
/// Y1(x) / (x - 8.59601) on [7, 8]
static const double kY1Piece3[] = {
    -0x1.10bbae72be9aep-43, -0x1.d59d1033c919dp-41, 0x1.02d7943eedd72p-35, 0x1.aa578f57390cdp-33,
    -0x1.40ec78fb6c5a5p-28, -0x1.a30f1702f6e4cp-26, 0x1.2bf1e236bc3dep-21, 0x1.176fd6e32e1c3p-19,
    -0x1.6f7b98c9e7696p-15, -0x1.b50d78686e4cep-14, 0x1.07a678eb52bf5p-9, 0x1.3ced2a35a1131p-9,
    -0x1.6395dfe485081p-5, -0x1.02b3933cea80ep-6, 0x1.15f993fceabdcp-2,
};

/// Hankel's P for order 0, x >= 8; u = 64 / x^2
static const double kP0[] = {
    -0x1.f125ee8168d65p-35, 0x1.114ad07e38765p-31, -0x1.185ad19fbde0ep-29, 0x1.67e0374c052e0p-28,
    -0x1.4998810ea362ap-27, 0x1.d87cbfd3d8aa1p-27, -0x1.230396eb8f05cp-26, 0x1.59e04ef67eaecp-26,
    -0x1.c77d133119660p-26, 0x1.7af69cdfc9a0fp-25, -0x1.b804319d4f898p-24, 0x1.84bccf734ad38p-22,
    -0x1.251ee77d895fdp-19, 0x1.cb5fffff87541p-16, -0x1.1ffffffffffa7p-10, 0x1.0000000000000p+0,
};

/// x times Hankel's Q for order 0, x >= 8; u = 64 / x^2
static const double kQ0[] = {
    -0x1.d845f57949a13p-32, 0x1.29d2cd5cc9bf5p-28, -0x1.5eef6ac5344dfp-26, 0x1.01721513893aep-24,
    -0x1.08eefa08a81a5p-23, 0x1.99eea10396032p-23, -0x1.f639436bce181p-23, 0x1.001f3bdfb3a83p-22,
    -0x1.ce44650365626p-23, 0x1.90a3a6c923175p-23, -0x1.71e9c92afada5p-23, 0x1.94a512a0a6f11p-23,
    -0x1.1d2644f6d2f4cp-22, 0x1.13a981238dc94p-21, -0x1.86169a8d07fd0p-20, 0x1.ba4c59633f95fp-18,
    -0x1.d11dffffed2e2p-15, 0x1.2bfffffffffecp-10, -0x1.0000000000000p-3,
};

/// Hankel's P for order 1, x >= 8; u = 64 / x^2
static const double kP1[] = {
    0x1.05d9c7ed26085p-34, -0x1.1ffaf3b699c83p-31, 0x1.278e3a5f14db6p-29, -0x1.7ba49968c1af5p-28,
    0x1.5c109785c48efp-27, -0x1.f3d2f1e0eaeb8p-27, 0x1.34c07ed6fdf6fp-26, -0x1.70c48e769a3a7p-26,
    0x1.e9728d7d6406ap-26, -0x1.9bf2582722c04p-25, 0x1.e656386331482p-24, -0x1.b891be309fbfcp-22,
    0x1.5a6a577704445p-19, -0x1.274fffffc0a4dp-15, 0x1.dffffffffffa2p-10, 0x1.0000000000000p+0,
};

/// x times Hankel's Q for order 1, x >= 8; u = 64 / x^2
static const double kQ1[] = {
    -0x1.fbfbb526564f3p-32, 0x1.31eba7c92c615p-28, -0x1.57b254bea2ed7p-26, 0x1.e080dfdf69f3ap-25,
    -0x1.d7d13044ee4e2p-24, 0x1.5e1b021c0fc00p-23, -0x1.a086900207482p-23, 0x1.a715fb1e17b93p-23,
    -0x1.8de434613b141p-23, 0x1.8110bc667c514p-23, -0x1.aef208b114505p-23, 0x1.33d536502e26fp-22,
    -0x1.2de8913521d80p-21, 0x1.b3fb13bbaab72p-20, -0x1.fe58182c87090p-18, 0x1.1c3cffffe18f7p-14,
    -0x1.a3fffffffffb9p-10, 0x1.8000000000000p-2,
};

/// I0 on [0, 8]; u = x^2 / 64
static const double kI0[] = {
    0x1.f2ba28a423f36p-29, 0x1.38c9bb9def199p-25, 0x1.71eed78904823p-21, 0x1.3d45e4ad1d75dp-17,
    0x1.e7477a048e22cp-14, 0x1.4195b658aa38cp-10, 0x1.69cac787efc6fp-7, 0x1.5601859c1e784p-4,
    0x1.0b3132ac6604fp-1, 0x1.522a43f3c5cffp+1, 0x1.522a43f678544p+3, 0x1.02e85c08974c5p+5,
    0x1.23456789abe20p+6, 0x1.c71c71c71c705p+6, 0x1.c71c71c71c71dp+6, 0x1.0000000000000p+6,
    0x1.0000000000000p+4, 0x1.0000000000000p+0,
};

/// I1(x) / x on [0, 8]; u = x^2 / 64
static const double kI1[] = {
    0x1.b1484aa39d158p-34, 0x1.2bdd01e7485efp-30, 0x1.70913f872a3cbp-26, 0x1.52a178808478cp-22,
    0x1.166c99e45cc07p-18, 0x1.8bccbd18b3186p-15, 0x1.e2639f21e548ep-12, 0x1.f176958771dcap-9,
    0x1.ab81ea929f530p-6, 0x1.2c9758d9e75d3p-3, 0x1.522a43f663502p-1, 0x1.27e4fb7789600p+1,
    0x1.845c8a0ce51aep+2, 0x1.6c16c16c16c12p+3, 0x1.c71c71c71c71dp+3, 0x1.5555555555555p+3,
    0x1.0000000000000p+2, 0x1.0000000000000p-1,
};

/// I0(x) sqrt(x) exp(-x), x >= 8; t = 16 / x - 1
static const double kI0Large[] = {
    0x1.88ace98fae220p-36, -0x1.ca582be251f17p-36, -0x1.88a813c881f06p-33, 0x1.e8e5f69de6d79p-33,
    0x1.686a8608736f0p-31, -0x1.e972265aced9bp-31, -0x1.956dfb4fe1eaep-30, 0x1.35a9156f4963ep-29,
    0x1.3e214cf21bdcep-29, -0x1.1bdc3ec1e9f99p-28, -0x1.84950e8ead8e2p-29, 0x1.9e5e49acc880fp-28,
    0x1.b8b8d2d416242p-29, -0x1.031b93868ba74p-27, -0x1.2f47fc1b9d084p-28, 0x1.18ad53e32853cp-27,
    0x1.0f776b47c7b5bp-27, -0x1.83cb25e05391dp-28, -0x1.cfede98bed6a1p-27, -0x1.cc1d9dbd694cap-28,
    0x1.042739d06f331p-27, 0x1.721262b9619c7p-26, 0x1.51ca41d4c0035p-25, 0x1.7d0fc5c9d1c18p-24,
    0x1.3f49b0800b1a0p-22, 0x1.8e5139f4a4d85p-20, 0x1.75e5ee6f78b1ap-17, 0x1.1daa72b5e70e2p-13,
    0x1.b87969bb93bd5p-9, 0x1.9bd428ad249a5p-2,
};

/// I1(x) sqrt(x) exp(-x), x >= 8; t = 16 / x - 1
static const double kI1Large[] = {
    -0x1.874f280ea1ba1p-36, 0x1.decaeb12577d7p-36, 0x1.86515adf84c20p-33, -0x1.fe5cee811fcb2p-33,
    -0x1.64fe6298e771ap-31, 0x1.fe8a48533339ep-31, 0x1.8f72fdcb77ce7p-30, -0x1.42c2e6f62fb7cp-29,
    -0x1.36ed0a24ad83bp-29, 0x1.27c04e4a796d0p-28, 0x1.77a7c8da70c21p-29, -0x1.b01aac45fd916p-28,
    -0x1.a72573339faccp-29, 0x1.0f57e5a805881p-27, 0x1.27d1df91e626cp-28, -0x1.29798e1e17cf1p-27,
    -0x1.12205b4a193f1p-27, 0x1.aba02e09720f8p-28, 0x1.e54a4d6adfd66p-27, 0x1.cb0f528d28744p-28,
    -0x1.2220ab3c5015bp-27, -0x1.916de5080a4eep-26, -0x1.72761064b3295p-25, -0x1.ad8e0a83c6208p-24,
    -0x1.761387bc8d1a0p-22, -0x1.ec8e0fecdc38dp-20, -0x1.f89c230414b46p-17, -0x1.cbc54df1edac4p-13,
    -0x1.3f796198ee63fp-7, 0x1.8ebe783a84030p-2,
};

#endif // VX_DEVICE_MATH_TABLES_H
