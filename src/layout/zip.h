// The records of a zip file. Source: PKWARE APPNOTE 6.3.10, sections 4.3 and 4.5;
// docs/formats/pt2.md has the pictures.
#pragma once

#include "layout/little_endian.h"

namespace ptec {

inline constexpr std::uint32_t kZipLocalSignature = 0x04034B50;       // "PK\3\4"
inline constexpr std::uint32_t kZipCentralSignature = 0x02014B50;     // "PK\1\2"
inline constexpr std::uint32_t kZipDescriptorSignature = 0x08074B50;  // "PK\7\8"
inline constexpr std::uint32_t kZipEndSignature = 0x06054B50;         // "PK\5\6"
inline constexpr std::uint32_t kZip64EndSignature = 0x06064B50;       // "PK\6\6"
inline constexpr std::uint32_t kZip64LocatorSignature = 0x07064B50;   // "PK\6\7"

inline constexpr std::uint16_t kZipFlagEncrypted = 1u << 0;
inline constexpr std::uint16_t kZipFlagDeflateLevel = 3u << 1;
inline constexpr std::uint16_t kZipFlagDescriptor = 1u << 3;
inline constexpr std::uint16_t kZipFlagStrongEncryption = 1u << 6;
inline constexpr std::uint16_t kZipFlagUtf8 = 1u << 11;
inline constexpr std::uint16_t kZipFlagMaskedHeaders = 1u << 13;

inline constexpr std::uint16_t kZipMethodStored = 0;
inline constexpr std::uint16_t kZipMethodDeflated = 8;

inline constexpr std::uint16_t kZip64ExtraId = 1;
inline constexpr std::uint16_t kZipIn64_16 = 0xFFFF;  // "see the zip64 field"
inline constexpr std::uint32_t kZipIn64_32 = 0xFFFFFFFF;

struct ZipLocalHeader {  // name and extra fields follow, then the data
  le32 signature;
  le16 version_needed;
  le16 flags;
  le16 method;
  le16 time;
  le16 date;
  le32 crc32;
  le32 stored_size;
  le32 inflated_size;
  le16 name_size;
  le16 extra_size;
};
static_assert(sizeof(ZipLocalHeader) == 30 && alignof(ZipLocalHeader) == 1);

struct ZipCentralHeader {  // name, extra fields and comment follow
  le32 signature;
  le16 version_made_by;
  le16 version_needed;
  le16 flags;
  le16 method;
  le16 time;
  le16 date;
  le32 crc32;
  le32 stored_size;
  le32 inflated_size;
  le16 name_size;
  le16 extra_size;
  le16 comment_size;
  le16 disk;
  le16 internal_attributes;
  le32 external_attributes;
  le32 header_offset;
};
static_assert(sizeof(ZipCentralHeader) == 46 && alignof(ZipCentralHeader) == 1);

struct ZipExtraHeader {  // in front of each extra field
  le16 id;
  le16 size;
};

struct ZipEnd {  // a comment follows
  le32 signature;
  le16 disk;
  le16 directory_disk;
  le16 entries_here;
  le16 entries;
  le32 directory_size;
  le32 directory_offset;
  le16 comment_size;
};
static_assert(sizeof(ZipEnd) == 22 && alignof(ZipEnd) == 1);

struct Zip64End {
  le32 signature;
  le64 size_after;  // of what follows this member: 44
  le16 version_made_by;
  le16 version_needed;
  le32 disk;
  le32 directory_disk;
  le64 entries_here;
  le64 entries;
  le64 directory_size;
  le64 directory_offset;
};
static_assert(sizeof(Zip64End) == 56 && alignof(Zip64End) == 1);

struct Zip64Locator {  // right before ZipEnd
  le32 signature;
  le32 end_disk;
  le64 end_offset;
  le32 disks;
};
static_assert(sizeof(Zip64Locator) == 20 && alignof(Zip64Locator) == 1);

}  // namespace ptec
